import type { Interruption, Steps } from './types.ts'

/** Runs a phase to its end at once. */
export function toEnd(steps: Steps): Interruption | undefined {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
