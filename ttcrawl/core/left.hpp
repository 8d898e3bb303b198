// Why a page is left to the Python reader.
#pragma once

namespace ttcrawl {

/// Thrown for a page that the tokens alone do not describe, or that has what only the Python reader reads.
struct Left {
  const char *why;
};

}  // namespace ttcrawl
