/** The output of `sluice explain --help`. */
export const explainHelp = `sluice explain: the rules that match a request, and why a rule does not match

  sluice explain [FILE] [--rule ID] [--paranoia-level N] [--crs PATH] [--all] [--json]

Reads one HTTP request in its wire form from FILE or from standard input: request line, headers, an
empty line, the body. Lines may end with LF or CRLF. The body continues to the end of the input; a final
line ending that Content-Length does not count is removed. A missing Content-Length is added.

  --rule ID            only this rule: its match, or the reason why it does not match
  --paranoia-level N   1 to 4; rules of higher levels are off (default 1)
  --crs PATH           rules to use: a directory or a .tar.gz archive of an OWASP CRS release
                       (default: SLUICE_CRS, else the active release of this installation)
  --all                list matches of helper rules too, which no log shows
  --json               print JSON

Bytes other than printable ASCII are printed as \\xHH, and long values are cut.
The exit status is 0 after an explanation, and 2 for an error in the call or the request.

Example:

  printf 'GET /?id=1%%27%%20OR%%201=1-- HTTP/1.1\\nHost: shop.example\\n\\n' | npx sluice explain --rule 942100`
