# The tables of the tasks, and their schema.
"$tasks/make-patients" 8000 1 patients.csv
"$tasks/make-patients" 2000 2 public.csv
"$tasks/make-patients" 5 3 new.csv
sotto schema init patients.csv --id patient --integer age=18:110 --category sex=f,m \
  --number bmi=10:60 --missing bmi --integer visits=0:40 --category smoker=no,yes \
  --date admitted=2020-01-01:2026-12-31 --category region=north,south,east,west \
  --label readmitted=no,yes --output schema.json >/dev/null
