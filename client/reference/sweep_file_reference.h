#pragma once

#include <string>

#include "client/sweep_keys.h"

// The keys of a sweep file, for people: from the table that the parser uses.

namespace roar::reference {

// As a part of docs/sweep-file.md, in Markdown.
std::string SweepFileTable();

// What may be written, without markup: "name: published, textbook".
std::string KindOf(const SweepFileKey& key);
// What holds where the key is absent.
std::string DefaultOf(const SweepFileKey& key);

}  // namespace roar::reference
