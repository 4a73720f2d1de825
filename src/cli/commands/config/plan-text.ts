import type { Change, Plan, Step } from './plan.ts'

/** The plan for people: a line for each object, what stays, and the counts. */
export function planText({ steps, notes }: Plan): string {
  const actions = steps.flatMap(({ action, replaced }) => [action, ...replaced.map(() => 'delete' as const)])
  const counts = (['create', 'change', 'delete'] as const).map(
    action => `${actions.filter(one => one === action).length} to ${action}`,
  )
  const sum = steps.length === 0 ? 'No differences.' : `${actions.length} objects: ${counts.join(', ')}.`
  return [...steps.map(lineOf), ...notes.map(note => `note: ${note}`), sum].join('\n')
}

function lineOf({ action, owner, kind, label, changes, source, replaced }: Step): string {
  const line = `${action} ${[kind.noun, label].filter(Boolean).join(' ')} of ${owner.name}`
  if (replaced.length > 0) return `${line}, in place of ${replaced.map(entry => entry.label).join(', ')}`
  if (action !== 'change') return line
  const mayShow = kind.concealed === undefined && source !== undefined
  return `${line}: ${changes.map(change => (mayShow ? shown(change) : change.member)).join(', ')}`
}

/** Long values are not for a line. */
function shown({ member, before, after }: Change): string {
  const [old, next] = [before, after].map(value =>
    value === undefined ? 'default' : JSON.stringify(value),
  ) as [string, string]
  return old.length + next.length > shownCharacters ? member : `${member} ${old} → ${next}`
}

const shownCharacters = 80
