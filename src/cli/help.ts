import { flagOf, settingDeclarations } from '../model/settings/index.ts'

/** One line per setting, from the table of settings. */
function settingLines(): readonly string[] {
  return settingDeclarations.map(declaration => {
    const standard = declaration.default === undefined ? '' : ` (default ${declaration.default})`
    return `  ${flagOf(declaration).padEnd(18)} ${declaration.variable.padEnd(23)} ${declaration.help}${standard}`
  })
}

/** The output of `sluice serve --help`. */
export function serveHelp(): string {
  return [
    'sluice serve: start the roles of this machine, and run until SIGTERM or SIGINT',
    '',
    'A line shows the addresses once all parts are ready. Ctrl-C drains: requests in flight end, and their records are',
    'delivered. A second Ctrl-C ends the process at once. The control role migrates the database schema at the start.',
    '',
    'Settings, as flag or environment variable (a flag wins):',
    ...settingLines(),
  ].join('\n')
}

/** The output of `sluice supervise --help`. */
export function superviseHelp(): string {
  return [
    'sluice supervise: start, and replace the process without a failed request',
    '',
    'It holds the addresses of the settings and starts sluice serve, which serves them. On SIGUSR2, it starts sluice serve',
    'again from the files on disk. When the new process serves, the old one finishes its connections and ends. If the',
    'new process does not start, the old one goes on serving. SIGTERM and SIGINT end all of them as sluice serve does.',
    '',
    'Settings, as flag or environment variable (a flag wins):',
    ...settingLines(),
  ].join('\n')
}

/** The output of `sluice --help`. */
export function helpText(): string {
  return [
    'sluice: an edge firewall and log pipeline, driven by the Cloudflare API',
    '',
    'Commands (--help after a command shows its details):',
    '  sluice serve                          start; Ctrl-C drains and ends',
    '  sluice supervise                      start; SIGUSR2 replaces the process without a failed request',
    '  sluice crs list                       imported OWASP CRS releases',
    '  sluice crs sync                       import the newest upstream release',
    '  sluice crs import PATH                import a directory or a .tar.gz archive',
    '  sluice crs use VERSION                make an imported release `latest`',
    '  sluice crs diff A B                   the rules that differ between two releases (--json for programs)',
    '  sluice explain < request.txt          the rules that match a request, and why one does not (explain --help)',
    '  sluice coverage [PLAN.JSON]           items that are not fully enforced, in this installation or in a Terraform plan',
    '  sluice zones list                     the zones and their origins',
    '  sluice zones add NAME --origin URL    add a zone and protect it (--unprotected: without rules)',
    '  sluice tokens list                    the API tokens, without their values',
    '  sluice tokens create NAME             make a token with every permission, and print it once',
    '      --permissions NAMES --zone NAME   only these permissions ("Zone Read,Logs Write"), on one zone',
    '  sluice tokens revoke ID               revoke a token at once',
    '  sluice user list                      the users, their roles and sign-ins',
    '  sluice user add EMAIL --role ROLE     add a user: administrator, editor or analyst',
    '  sluice user invite EMAIL              let a user set a new password',
    '  sluice user remove EMAIL              remove a user with their sessions and tokens',
    '  sluice keys generate                  make a key pair for payload logging (keys --help)',
    '  sluice keys decrypt -k FILE           decrypt a logged payload',
    '  sluice logs jobs                      the Logpush jobs with their state and delay',
    '  sluice logs replay --zone NAME --job N --start T --end T',
    '                                        deliver the records of a time range once more (logs --help)',
    '  sluice logs search --zone NAME        the retained records that pass a filter, as JSON lines',
    "  sluice sql 'select …'                 SQL over the retained records of an account (sql --help)",
    '  sluice export terraform --output DIR  write the account as a Terraform configuration with imports',
    '  sluice config export DIR              write the account as files (config --help)',
    '  sluice config diff DIR                show how the account differs from the files',
    '  sluice config apply DIR               make the account match the files',
    '  sluice db migrate                     create the database, or migrate its schema',
    '  sluice db check                       look for faults in the database',
    '  sluice db copy --from A --to B        copy it from SQLite to PostgreSQL, or back (db --help)',
    '  sluice backup DIR                     copy the database, beside a running Sluice (--with-key: with the key)',
    '  sluice restore DIR                    put a backup into an empty data directory or database',
    '  sluice rollout status                 state of staged changes (also proceed, go-back and retry)',
    '  sluice top                            requests, latency and jobs, live in the terminal (--once: as text)',
    '  sluice doctor                         check this machine, the origins and the destinations (--json for programs)',
    '  sluice --version                      the versions of Sluice and Node',
    '',
    'Settings, as flag or environment variable (a flag wins):',
    ...settingLines(),
  ].join('\n')
}
