import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Every line of the `.log.gz` files in a folder, parsed; none when the folder is not there. */
export async function readLogFiles(folder: string): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = []
  for (const name of (await readdir(folder).catch(() => [])).sort()) {
    if (!name.endsWith('.log.gz')) continue
    const text = gunzipSync(await readFile(join(folder, name))).toString('utf8')
    for (const line of text.split('\n')) if (line !== '') lines.push(JSON.parse(line))
  }
  return lines
}
