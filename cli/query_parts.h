// Histograms, groups and tables: the parts that records are counted in.
#pragma once

#include "cli/query_flags.h"
#include "cli/query_types.h"
#include "sotto/mechanisms/table_query.h"

namespace sotto::cli {

// Each fills in the parts of the query, from the flags or, without them, from what is declared.
// Throws UsageError.
void read_histogram(const QueryTexts& texts, const DeclaredColumns& declared,
                    mechanisms::QueryOptions& query);
void read_groups(const QueryTexts& texts, const DeclaredColumns& declared,
                 mechanisms::QueryOptions& query);
void read_two_way_table(const QueryTexts& texts, const DeclaredColumns& declared,
                        mechanisms::QueryOptions& query);

}  // namespace sotto::cli
