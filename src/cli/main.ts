import { backupHelp, restoreHelp } from './commands/backup/help.ts'
import { configHelp } from './commands/config/help.ts'
import { coverageHelp } from './commands/coverage/help.ts'
import { doctorHelp } from './commands/doctor/help.ts'
import { explainHelp } from './commands/explain/help.ts'
import { exportHelp } from './commands/export/help.ts'
import { logsHelp } from './commands/logs/help.ts'
import { topHelp } from './commands/top/help.ts'
import { helpText, serveHelp, superviseHelp } from './help.ts'
import { UsageError } from './usage.ts'
import { versionText } from './version.ts'

interface Command {
  /** @param words after the command's own name */
  readonly run: (words: readonly string[]) => Promise<void>
  readonly help: () => string | Promise<string>
}

/** The code of a command is loaded when it runs, so that short commands answer at once. */
const commands: Readonly<Record<string, Command>> = {
  serve: { run: async words => (await import('./commands/serve.ts')).serveCommand(words), help: serveHelp },
  supervise: {
    run: async words => (await import('./commands/supervise.ts')).superviseCommand(words),
    help: superviseHelp,
  },
  crs: {
    run: async words => (await import('./commands/crs/crs.ts')).crsCommand(words),
    help: async () => (await import('./commands/crs/crs.ts')).crsHelp,
  },
  zones: {
    run: async words => (await import('./commands/zones.ts')).zonesCommand(words),
    help: async () => (await import('./commands/zones.ts')).zonesHelp,
  },
  tokens: {
    run: async words => (await import('./commands/tokens.ts')).tokensCommand(words),
    help: async () => (await import('./commands/tokens.ts')).tokensHelp,
  },
  user: {
    run: async words => (await import('./commands/user.ts')).userCommand(words),
    help: async () => (await import('./commands/user.ts')).userHelp,
  },
  coverage: {
    run: async words => (await import('./commands/coverage/coverage.ts')).coverageCommand(words),
    help: () => coverageHelp,
  },
  explain: {
    run: async words => (await import('./commands/explain/explain.ts')).explainCommand(words),
    help: () => explainHelp,
  },
  keys: {
    run: async words => (await import('./commands/keys.ts')).keysCommand(words),
    help: async () => (await import('./commands/keys.ts')).keysHelp,
  },
  logs: {
    run: async words => (await import('./commands/logs/logs.ts')).logsCommand(words),
    help: () => logsHelp,
  },
  sql: {
    run: async words => (await import('./commands/sql.ts')).sqlCommand(words),
    help: async () => (await import('./commands/sql.ts')).sqlHelp,
  },
  export: {
    run: async words => (await import('./commands/export/export.ts')).exportCommand(words),
    help: () => exportHelp,
  },
  config: {
    run: async words => (await import('./commands/config/config.ts')).configCommand(words),
    help: () => configHelp,
  },
  backup: {
    run: async words => (await import('./commands/backup/backup.ts')).backupCommand(words),
    help: () => backupHelp,
  },
  restore: {
    run: async words => (await import('./commands/backup/restore.ts')).restoreCommand(words),
    help: () => restoreHelp,
  },
  rollout: {
    run: async words => (await import('./commands/rollout.ts')).rolloutCommand(words),
    help: async () => (await import('./commands/rollout.ts')).rolloutHelp,
  },
  top: {
    run: async words => (await import('./commands/top/top.ts')).topCommand(words),
    help: () => topHelp,
  },
  doctor: {
    run: async words => (await import('./commands/doctor/doctor.ts')).doctorCommand(words),
    help: () => doctorHelp,
  },
  db: {
    run: async words => (await import('./commands/db.ts')).dbCommand(words),
    help: async () => (await import('./commands/db.ts')).dbHelp,
  },
}

const isHelp = (word: string): boolean => word === '--help' || word === '-h'

async function main(words: readonly string[]): Promise<void> {
  const [first, ...rest] = words
  if (first === '--version' || first === '-v' || first === '-V' || first === 'version') {
    console.log(versionText())
    return
  }
  const name = first === 'help' ? rest[0] : first
  if (name === undefined || isHelp(name)) {
    console.log(helpText())
    return
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined)
    throw new UsageError(
      `there is no command '${name}'; the commands are ${Object.keys(commands).join(', ')}`,
    )
  if (first === 'help' || rest.some(isHelp)) console.log(await command.help())
  else await command.run(rest)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(`sluice: ${error instanceof Error ? error.message : String(error)}`)
  if (error instanceof UsageError) {
    const words = error.command === undefined ? '' : `${error.command} `
    console.error(`Run \`npx sluice ${words}--help\` for how it is used.`)
  }
  process.exitCode = error instanceof UsageError ? 2 : 1
}
