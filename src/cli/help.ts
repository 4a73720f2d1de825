import { flagOf, settingDeclarations } from '../model/settings.ts'

/** What `sluice --help` prints; made from the table of settings. */
export function helpText(): string {
  const settings = settingDeclarations.map(declaration => {
    const standard = declaration.default === undefined ? '' : ` (default ${declaration.default})`
    return `  ${flagOf(declaration).padEnd(18)} ${declaration.variable.padEnd(23)} ${declaration.help}${standard}`
  })
  return [
    'sluice: an edge firewall and log pipeline, driven by the Cloudflare API',
    '',
    'Commands:',
    '  sluice serve                          start; Ctrl-C drains and ends',
    '  sluice crs list                       the OWASP CRS releases that were imported',
    '  sluice crs sync                       import the newest upstream release',
    '  sluice crs import PATH                import a directory or a .tar.gz archive',
    '  sluice crs use VERSION                make an imported release the one that `latest` means',
    '  sluice crs diff A B                   what another release would change (--json for programs)',
    '  sluice explain < request.txt          which rules match a request, and why one does not (explain --help)',
    '  sluice zones list                     the zones and their origins',
    '  sluice zones add NAME --origin URL    add a zone',
    '  sluice tokens list                    the API tokens (never their text)',
    '  sluice tokens create NAME             make one that may do everything and print it, once',
    '      --permissions NAMES --zone NAME   the same, for some permissions ("Zone Read,Logs Write"), on one zone',
    '  sluice tokens revoke ID               it stops working at once',
    '  sluice keys generate                  make a pair of keys for payload logging (keys --help)',
    '  sluice keys decrypt -k FILE           read what payload logging encrypted',
    '  sluice logs jobs                      the log push jobs, and how far behind each is',
    '  sluice logs replay --zone NAME --job N --start T --end T',
    '                                        deliver the records of a time once more (logs --help)',
    '',
    'Settings, as flag or environment variable (a flag wins):',
    ...settings,
  ].join('\n')
}
