import { outliveOutput, type Supervisor, supervise } from '../../app/index.ts'
import { parseCommandLine, UsageError } from '../usage.ts'

/** `sluice supervise`: runs until SIGTERM or SIGINT. SIGUSR2 replaces the process that serves. */
export async function superviseCommand(commandLine: readonly string[]): Promise<void> {
  const { words, settings } = parseCommandLine(commandLine)
  if (words.length > 0) throw new UsageError(`supervise takes no words, found '${words[0]}'`)
  outliveOutput()
  const command = [process.execPath, ...process.execArgv, process.argv[1]!, 'serve', ...commandLine]
  let supervisor: Supervisor | undefined
  // During the start, too, it must not end the program.
  process.on('SIGUSR2', () => void supervisor?.replace())
  supervisor = await supervise(settings, command, line => console.log(`sluice supervise: ${line}`))
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    await supervisor?.stop()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
