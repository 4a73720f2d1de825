import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'

/** A Python whose packages include `cloudflare`, the SDK. `.ci/run` makes one and names it. */
const python = process.env['SLUICE_TEST_PYTHON'] ?? 'python3'

/** The reason to skip tests that need it; false when it is there. */
export const withoutPythonSdk: string | false =
  spawnSync(python, ['-c', 'import cloudflare']).status === 0
    ? false
    : 'no Python with the package cloudflare (SLUICE_TEST_PYTHON)'

/**
 * Runs a program to its end.
 * @returns what it printed, the standard error last
 */
export async function runPython(
  program: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly output: string; readonly code: number | null }> {
  const child = spawn(python, ['-B', '-'], { env: { ...process.env, ...settings } })
  child.stdin.end(program)
  const ended = new Promise<number | null>(resolve => child.once('close', resolve))
  const printed = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output: printed.join(''), code: await ended }
}
