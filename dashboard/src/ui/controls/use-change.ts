import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { call, type Input, type Operation, type Result } from '../../api/client.ts'
import { keyOf } from '../../api/hooks.ts'
import { FailureText } from '../display/failure-text.tsx'

interface ChangeOptions<Key extends Operation> {
  /** Success message, such as “Zone added”; undefined when the page shows the result itself. */
  readonly done: string | ((result: Result<Key>) => string | undefined)
  /** Failure message, such as “Failed to add zone”. */
  readonly failed: string
  /** Operations to refetch after success. */
  readonly changes?: readonly Operation[]
  readonly onDone?: (result: Result<Key>) => void
  /** The form shows the failure itself. */
  readonly quietFailure?: boolean
}

/** A call that changes something: `isPending` while it runs, then a notification of success or failure. */
export function useChange<Key extends Operation>(
  key: Key,
  { done, failed, changes = [], onDone, quietFailure = false }: ChangeOptions<Key>,
) {
  const queries = useQueryClient()
  return useMutation<Result<Key>, Error, Input<Key>>({
    mutationFn: input => call(key, input),
    onSuccess: async result => {
      const message = typeof done === 'string' ? done : done(result)
      if (message !== undefined) notifications.show({ color: 'teal', message })
      await Promise.all(changes.map(changed => queries.invalidateQueries({ queryKey: keyOf(changed) })))
      onDone?.(result)
    },
    onError: error => {
      if (quietFailure) return
      const message = createElement(FailureText, { error })
      notifications.show({ color: 'red', title: failed, message, autoClose: false })
    },
  })
}
