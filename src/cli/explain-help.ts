/** What `sluice explain --help` prints. */
export const explainHelp = `sluice explain: which rules match a request, and why one rule does not

  sluice explain [FILE] [--rule ID] [--paranoia-level N] [--crs PATH] [--all] [--json]

Reads one HTTP request, as it goes over the wire, from FILE or from standard input: request line,
headers, an empty line, the body. Lines may end with LF or CRLF. The body goes on to the end; a line
ending there that Content-Length does not count is left out. A missing Content-Length is added.

  --rule ID            only this rule: its match, or why there is none
  --paranoia-level N   1 to 4; rules of higher levels are off (default 1)
  --crs PATH           rules to use: a directory or a .tar.gz archive of an OWASP CRS release
                       (default: SLUICE_CRS, else the release that this installation uses)
  --all                list matches of helper rules too: those that no log shows
  --json               print JSON

Values are printed with other bytes than printable ASCII as \\xHH, and cut when they are long.
Ends with 0 when the request was explained, with 2 when something in the call or the request is wrong.

Example:

  printf 'GET /?id=1%%27%%20OR%%201=1-- HTTP/1.1\\nHost: shop.example\\n\\n' | npx sluice explain --rule 942100`
