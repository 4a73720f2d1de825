/** Programs that search sites for weaknesses, in lower case. */
const attackers: readonly string[] = [
  'acunetix',
  'arachni',
  'dirbuster',
  'feroxbuster',
  'gobuster',
  'havij',
  'jaeles',
  'masscan',
  'nessus',
  'netsparker',
  'nikto',
  'nmap scripting engine',
  'nuclei',
  'openvas',
  'skipfish',
  'sqlmap',
  'w3af',
  'whatweb',
  'wpscan',
  'zgrab',
]

/** Libraries whose default no site's own program should keep, in lower case. */
const libraries: readonly string[] = [
  'indy library',
  'libwww-perl',
  'lwp::',
  'python-urllib',
  'www-mechanize',
]

/** Beginnings of values that no client sends: the header's own name, and pieces of pages and of shell commands. */
const mangled = /^(?:user-agent|["'<(]|\$\{)/

/**
 * Browser Integrity Check: attack programs and mangled values are refused; clients without a User-Agent, or with one that
 * abusive programs usually have, are challenged. Linear in the length of the header.
 * @source Cloudflare docs, Browser Integrity Check; the lists are Sluice's own
 */
export function browserCheck(userAgent: string | undefined): 'block' | 'managed_challenge' | undefined {
  const value = (userAgent ?? '').trim().toLowerCase()
  if (value === '') return 'managed_challenge'
  if (mangled.test(value) || attackers.some(name => value.includes(name))) return 'block'
  return libraries.some(name => value.includes(name)) ? 'managed_challenge' : undefined
}
