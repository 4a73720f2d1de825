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
    '  sluice explain < request.txt          which rules match a request, and why one does not (explain --help)',
    '  sluice zones list                     the zones and their origins',
    '  sluice zones add NAME --origin URL    add a zone',
    '  sluice tokens list                    the API tokens (never their text)',
    '  sluice tokens create NAME             make one and print it, once',
    '  sluice tokens revoke ID               it stops working at once',
    '',
    'Settings, as flag or environment variable (a flag wins):',
    ...settings,
  ].join('\n')
}
