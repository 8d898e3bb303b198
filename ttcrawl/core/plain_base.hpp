// References that need no URL parser, as ttcrawl.web.reference joins them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "ascii.hpp"

namespace ttcrawl {

/// The directory of a base URL, to which plain references are added.
class PlainBase {
 public:
  /// `directory`: up to its last slash; "" if the base URL is not plain.
  explicit PlainBase(std::string directory) : directory_(std::move(directory)) {
    if (!directory_.empty()) root_ = directory_.find('/', std::string_view("https://").size());
  }

  /// The absolute URL of a reference without fragment; "": the parser has to decide, or the whole base URL counts.
  std::string joined(std::string_view reference) const {
    const Start start = start_of(reference);
    if (directory_.empty() || !is_plain(reference.substr(start.size))) return "";
    if (reference.find("/.", start.size == 0 ? 0 : start.size - 1) != reference.npos) return "";
    switch (start.kind) {
      case StartKind::HERE: {
        const bool needs_file_name = reference.empty() || reference[0] == '?' || reference == "!";
        return needs_file_name ? "" : directory_ + std::string(reference);
      }
      case StartKind::ROOT: return directory_.substr(0, root_).append(reference);
      case StartKind::HOST: return std::string(reference.find("xn--") == reference.npos ? reference : "");
      case StartKind::ABOVE: return above(start.size / ABOVE.size()).append(reference.substr(start.size));
    }
    return "";
  }

 private:
  static constexpr std::string_view ABOVE = "../";
  enum class StartKind { HERE, ROOT, HOST, ABOVE };
  struct Start {
    StartKind kind;
    std::size_t size;
  };

  static Start start_of(std::string_view reference) {
    if (reference.starts_with('/')) return {StartKind::ROOT, 1};
    if (const std::size_t size = size_of_origin(reference); size > 0) return {StartKind::HOST, size};
    std::size_t size = 0;
    while (reference.substr(size).starts_with(ABOVE)) size += ABOVE.size();
    return {size > 0 ? StartKind::ABOVE : StartKind::HERE, size};
  }

  /// The size of the scheme, the host and the slash after it; 0: there is no host, or one that is not plain. Its last
  /// label has only letters: no host that is an IPv4 address.
  static std::size_t size_of_origin(std::string_view reference) {
    const std::size_t scheme = reference.starts_with("http://") ? 7 : reference.starts_with("https://") ? 8 : 0;
    const std::size_t end = scheme == 0 ? reference.npos : reference.find('/', scheme);
    if (end == reference.npos) return 0;
    std::string_view host = reference.substr(scheme, end - scheme);
    const std::size_t last = host.rfind('.');
    if (last == host.npos || last + 1 == host.size()) return 0;
    for (const char each : host.substr(last + 1)) {
      if (!is_lower(each)) return 0;
    }
    char before = '.';
    for (const char each : host.substr(0, last)) {
      const bool is_inside = is_digit(each) || each == '-' || each == '.';
      if (!is_lower(each) && (before == '.' || !is_inside)) return 0;
      before = each;
    }
    return before == '.' ? 0 : end + 1;
  }

  /// Whether the rest of a reference is a path and a query of characters that are neither encoded nor decoded.
  static bool is_plain(std::string_view rest) {
    const std::size_t mark = rest.find('?');
    const std::string_view path = rest.substr(0, mark);
    if (mark == rest.npos) return is_plain_part(path) && !path.starts_with('.') && !path.starts_with('/');
    const std::string_view query = rest.substr(mark + 1);
    return is_plain(path) && !query.empty() && is_plain_part(query);
  }

  static bool is_plain_part(std::string_view part) {
    return std::all_of(part.begin(), part.end(), [](char each) { return PLAIN[static_cast<unsigned char>(each)]; });
  }

  /// Characters of a part. At the start of a path, "." and "/" are not plain.
  static constexpr std::array<bool, 256> PLAIN = [] {
    std::array<bool, 256> plain{};
    for (int each = 0; each < 128; ++each) plain[each] = is_alphanumeric(static_cast<char>(each));
    for (const unsigned char each : std::string_view("_~-+,;=&@!$()*./")) plain[each] = true;
    return plain;
  }();

  static bool is_lower(char letter) { return is_alpha(letter) && !is_upper(letter); }

  /// The directory so many levels above; nothing is above the root.
  std::string above(std::size_t levels) const {
    std::size_t end = directory_.size() - 1;
    for (; levels > 0 && end != root_; --levels) end = directory_.rfind('/', end - 1);
    return directory_.substr(0, end + 1);
  }

  std::string directory_;
  std::size_t root_ = 0;  // where its path begins
};

}  // namespace ttcrawl
