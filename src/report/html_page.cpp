#include "report/html_page.h"

namespace sotto::report {
namespace {

// Charts are drawn on white: on a dark screen they are inverted, keeping their hues.
constexpr const char* kStyle = R"(
:root{--page:#f4f5f7;--card:#ffffff;--text:#1f2933;--quiet:#52606d;--line:#d9dee5;--accent:#1f5fa8;
--bar:#b8cbe0;--heat:31,95,168;--alarm:#b3261e;--alarm-text:#ffffff;--notice:#fff4d6;--notice-text:#5c4400;
--wrong:#b3261e}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);line-height:1.5;
font-family:system-ui,"Segoe UI",Helvetica,Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:62rem;margin:0 auto;padding:1rem}
h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}
h2{font-size:1.2rem;margin:0 0 .75rem}
h3{font-size:1rem;margin:1.25rem 0 .5rem}
p{margin:.5rem 0}
header,section{background:var(--card);border:1px solid var(--line);border-radius:.5rem;
padding:1rem;margin:0 0 1rem}
.lead{font-size:1.1rem}
.quiet,caption,figcaption,footer{color:var(--quiet);font-size:.9rem}
footer{padding:0 1rem 2rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));gap:.5rem;margin:1rem 0 0}
.tiles div{border:1px solid var(--line);border-radius:.375rem;padding:.5rem .75rem}
.tiles dt{color:var(--quiet);font-size:.85rem}
.tiles dd{margin:0;font-size:1.25rem;font-weight:600}
.alarm,.notice{border-radius:.375rem;padding:.75rem 1rem;margin:0 0 1rem}
.alarm{background:var(--alarm);color:var(--alarm-text)}
.alarm strong{font-size:1.2rem}
.notice{background:var(--notice);color:var(--notice-text)}
.alarm p,.notice p{margin:0 0 .25rem}
.scroll{overflow-x:auto;margin:.5rem 0}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;padding-bottom:.25rem}
caption span{display:block;position:sticky;left:0;max-width:calc(100vw - 4rem)}
th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:right;vertical-align:top;
overflow-wrap:normal;white-space:nowrap}
th{font-weight:600}
th[scope=row]{text-align:left;font-weight:500}
thead th:first-child{text-align:left}
table.words{width:100%}
table.words td,table.words thead th{text-align:left;overflow-wrap:anywhere;white-space:normal}
table.words th[scope=row]{font-weight:600}
table.heat td{text-align:center;min-width:2.6rem;border:1px solid var(--card);color:var(--text)}
table.heat thead th{vertical-align:bottom;text-align:center;border:0}
table.heat thead th:not(:first-child) span{writing-mode:vertical-rl;transform:rotate(180deg)}
table.heat th[scope=row]{border:0;position:sticky;left:0;background:var(--card)}
table.heat td.full{color:#ffffff}
table.runs th:nth-child(-n+4),table.runs td:nth-child(-n+4){text-align:left}
table.bars{width:100%}
table.bars td.bar{width:55%;min-width:6rem}
table.bars .fill{background:var(--bar);height:1rem;border-radius:.2rem;min-width:1px}
tr td.differs{background:var(--notice);color:var(--notice-text)}
figure{margin:0 0 1.25rem}
.chart{overflow-x:auto}
.chart svg{display:block;width:100%;min-width:35rem;height:auto}
.settings{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:0 1.5rem;margin:0}
.settings div{display:flex;justify-content:space-between;gap:1rem;border-bottom:1px solid var(--line);
padding:.25rem 0;font-size:.9rem}
.settings dt{color:var(--quiet);overflow-wrap:normal}
.settings dd{margin:0;text-align:right;font-weight:500}
.samples{display:grid;grid-template-columns:repeat(auto-fill,minmax(7rem,1fr));gap:.75rem;padding:0;
margin:1rem 0 0;list-style:none}
.samples li{border:1px solid var(--line);border-radius:.375rem;padding:.5rem;font-size:.85rem;line-height:1.35}
.samples li.wrong{border:2px solid var(--wrong)}
.samples img{display:block;width:100%;max-width:6rem;height:auto;margin:0 auto .4rem;
image-rendering:pixelated;border:1px solid var(--line)}
.samples .verdict{font-weight:600}
.samples .wrong .verdict{color:var(--wrong)}
.sheet{max-width:100%;height:auto;image-rendering:pixelated}
details summary{cursor:pointer;color:var(--accent);margin:.5rem 0}
code{font-size:.85em}
a{color:var(--accent)}
@media screen and (prefers-color-scheme:dark){
:root{--page:#121417;--card:#1f1f1f;--text:#e4e7eb;--quiet:#a4afbb;--line:#3a4048;--accent:#86b7ee;
--bar:#3f6896;--heat:47,109,178;--alarm:#a3231c;--notice:#453800;--notice-text:#ffe7a3;--wrong:#ff8a80;
color-scheme:dark}
.chart svg{filter:invert(.878) hue-rotate(180deg)}
}
@media (max-width:60rem){table.runs{font-size:.8rem}table.runs th,table.runs td{padding:.3rem .25rem}
table.runs th[scope=row]{position:sticky;left:0;background:var(--card)}}
@media (max-width:30rem){main{padding:.5rem}header,section{padding:.75rem}
.samples{grid-template-columns:repeat(3,1fr);gap:.5rem}.samples li{padding:.35rem;font-size:.75rem}
table.words,table.words tbody,table.words tr,table.words th,table.words td{display:block}
table.words thead{display:none}table.words caption{display:block}
table.bars td.bar{min-width:3rem}
.chart::before{content:"scroll sideways \2192";position:sticky;left:0;color:var(--quiet);font-size:.8rem}
table.words th{border:0;padding-bottom:0}table.words td{padding-top:0}}
@media print{body{background:#ffffff}main{max-width:none;padding:0}
header,section{border:0;padding:0;break-inside:auto}figure,li,tr{break-inside:avoid}
.scroll,.chart{overflow:visible}.chart svg{min-width:0}
.alarm,.notice,table.heat td,.fill{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
)";

}  // namespace

std::string html_page(const std::string& title, const Html& body, const char* more_style) {
  const Html head =
      void_element("meta", {{"charset", "utf-8"}}) +
      void_element("meta",
                   {{"http-equiv", "Content-Security-Policy"},
                    {"content", "default-src 'none'; img-src data:; style-src 'unsafe-inline'"}}) +
      void_element("meta",
                   {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
      void_element("meta", {{"name", "color-scheme"}, {"content", "light dark"}}) +
      element("title", title) + element("style", Html::markup(std::string(kStyle) + more_style));
  const Html page =
      element("head", head) + Html::markup("\n") + element("body", element("main", body));
  return "<!DOCTYPE html>\n" + element("html", page, {{"lang", "en"}}).str() + "\n";
}

Html section(const std::string& heading, const Html& content) {
  return element("section", element("h2", heading) + Html::markup("\n") + content) +
         Html::markup("\n");
}

Html notice(Urgency urgency, const Html& content) {
  const bool alarm = urgency == Urgency::kAlarm;
  return element("div", content,
                 {{"class", alarm ? "alarm" : "notice"}, {"role", alarm ? "alert" : "note"}}) +
         Html::markup("\n");
}

Html chart_figure(const std::string& svg, const std::string& description, const Html& caption) {
  return element("figure", element("div", Html::markup(svg),
                                   {{"class", "chart"},
                                    {"tabindex", "0"},
                                    {"role", "img"},
                                    {"aria-label", description}}) +
                               element("figcaption", caption)) +
         Html::markup("\n");
}

}  // namespace sotto::report
