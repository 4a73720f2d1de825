/**
 * The engine's name for the values at a path in a JSON body: keys with dots between them. An element of an array
 * repeats the array's key, and a top-level array is called `array`. `$.user.name` and `user.name` → `user.name`;
 * `$.items[*].id` → `items.items.id`; `$[0]` → `array.array`.
 * @returns undefined for a text that is not such a path
 */
export function jsonArgumentName(path: string): string | undefined {
  const rest = path.startsWith('$') ? path.slice(1) : `.${path}`
  const steps = rest.match(stepPattern)
  if (steps === null || steps.join('') !== rest) return undefined
  const names: string[] = []
  for (const step of steps) {
    if (step.startsWith('.')) names.push(step.slice(1))
    else if (names.length > 0) names.push(names.at(-1)!)
    else names.push('array', 'array')
  }
  return names.join('.')
}

/** A key, or any element of an array. */
const stepPattern = /\.[^.[\]]+|\[(?:\*|[0-9]+)\]/g
