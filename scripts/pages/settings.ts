import { flagOf, type SettingDeclaration, settingDeclarations } from '../../src/model/settings/index.ts'
import { limitSections, subjects } from './limits.ts'
import { code, page, table } from './markdown.ts'

export function settingsPage(): string {
  const link = (heading: string) => `[${heading}](#${heading.toLowerCase().replaceAll(' ', '-')})`
  return page('Settings and limits', 'src/model/settings/declarations.ts and src/**/limits.ts', [
    'An operator chooses the [settings](#settings). The [limits](#limits) are the same on every installation.',
    '## Settings',
    'Settings are environment variables or flags of `npx sluice`; a flag wins. An unknown name or an invalid value ends the start with a message.',
    table(['Variable', 'Flag', 'Meaning', 'Allowed', 'Default'], settingDeclarations.map(rowOf)),
    'All processes of one installation need the same `SLUICE_DATABASE_URL`, `SLUICE_NATS_URL` and `SLUICE_SECRET_KEY`, or the same data directory on one machine. Keep the key with the backups of the database: without it, the destinations of Logpush jobs cannot be read.',
    'The control role upgrades the database schema when it starts; `npx sluice db migrate` does it beforehand. Other commands refuse a database whose schema is of another version.',
    '## Limits',
    'Every external input has a limit.',
    subjects.map(link).join(' | '),
    ...limitSections(),
  ])
}

function rowOf(declaration: SettingDeclaration): readonly string[] {
  const { variable, help, allowed } = declaration
  return [code(variable), code(flagOf(declaration)), help, allowed, defaultOf(declaration)]
}

/** The default of `workers` is this machine's; the page is for all machines. */
function defaultOf(declaration: SettingDeclaration): string {
  if (declaration.key === 'workers') return 'number of cores'
  return declaration.default === undefined ? 'none' : code(declaration.default)
}
