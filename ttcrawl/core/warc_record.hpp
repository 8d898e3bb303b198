// A record of the archive (ISO 28500) with its digests, as ttcrawl.store.warc_records writes it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base32.hpp"
#include "sha1.hpp"

namespace ttcrawl {

/// Fields are written one after another; digests have a length that is known before them.
class WarcRecord {
 public:
  /// The block is `head` and `body`; both must live as long as this.
  WarcRecord(std::string_view head, std::string_view body) : head_(head), body_(body) {}

  void add(std::string_view name, std::string_view value) {
    fields_.append(name).append(": ").append(value).append("\r\n");
  }
  void add_payload_digest() { payload_digest_ = add_digest("WARC-Payload-Digest"); }
  void add_block_digest() { block_digest_ = add_digest("WARC-Block-Digest"); }

  std::size_t size() const { return fields_.size() + BLANK.size() + head_.size() + body_.size() + END.size(); }

  /// Write the record to `to`, which has its size.
  void write(char *to) const {
    char *const block = written(written(to, fields_), BLANK);
    char *const body = written(block, head_);
    written(written(body, body_), END);
    // the copies are in the processor's cache
    const auto [of_block, of_body] = sha1_of_both({block, head_.size() + body_.size()},
                                                  {body, payload_digest_ == NONE ? 0 : body_.size()});
    if (block_digest_ != NONE) written(to + block_digest_, base32({of_block.data(), of_block.size()}));
    if (payload_digest_ != NONE) written(to + payload_digest_, base32({of_body.data(), of_body.size()}));
  }

 private:
  static constexpr std::size_t NONE = std::string::npos;
  static constexpr std::size_t DIGEST = 32;  // letters of base 32 for 20 bytes
  static constexpr std::string_view BLANK = "\r\n";
  static constexpr std::string_view END = "\r\n\r\n";

  std::size_t add_digest(std::string_view name) {
    fields_.append(name).append(": sha1:");
    const std::size_t at = fields_.size();
    fields_.append(DIGEST, ' ').append("\r\n");
    return at;
  }

  static char *written(char *to, std::string_view text) { return std::copy(text.begin(), text.end(), to); }

  std::string fields_ = "WARC/1.1\r\n";
  std::string_view head_;
  std::string_view body_;
  std::size_t payload_digest_ = NONE;
  std::size_t block_digest_ = NONE;
};

}  // namespace ttcrawl
