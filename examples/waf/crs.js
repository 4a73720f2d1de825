import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compile } from 'sluice/waf'

/**
 * The rules, in load order. The first MiB of a body is inspected, and held in memory meanwhile. The rules before the CRS
 * choose the body parser. All levels of the CRS are on, so that a mask can choose among them.
 */
const main = String.raw`
SecRequestBodyLimit 1048576
SecRule REQUEST_HEADERS:Content-Type "@rx ^(?:application(?:/soap\+|/)|text/)xml" \
    "id:200000,phase:1,pass,nolog,t:lowercase,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "@rx ^application/(?:[a-z0-9.-]+[+])?json" \
    "id:200001,phase:1,pass,nolog,t:lowercase,ctl:requestBodyProcessor=JSON"
SecRule REQBODY_ERROR|MULTIPART_STRICT_ERROR "!@eq 0" \
    "id:200002,phase:2,deny,status:400,log,msg:'The request body cannot be read'"
Include crs-setup.conf.example
SecAction "id:200900,phase:1,pass,nolog,\
    setvar:tx.blocking_paranoia_level=4,setvar:tx.detection_paranoia_level=4"
Include rules/*.conf
`

/**
 * Compiles the OWASP CRS 4 from the directory of a release. The CRS's blocking rules are passive: the application blocks
 * by `requestScore`.
 */
export function loadCrs(directory) {
  const read = name => ({ name, text: readFileSync(join(directory, name), 'latin1') })
  const outcome = compile([{ name: 'main.conf', text: main }], {
    include: (pattern, from) =>
      globSync(join(dirname(from), pattern), { cwd: directory })
        .sort()
        .map(read),
    readData: (name, from) => read(join(dirname(from), name)).text,
    passive: [
      [949000, 949999],
      [959000, 959999],
      [980000, 980999],
    ],
  })
  if (outcome.ok) return outcome.value
  throw new Error(outcome.diagnostics.map(d => `${d.source}:${d.line}: ${d.message}`).join('\n'))
}
