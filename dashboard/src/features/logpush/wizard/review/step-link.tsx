import { useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TextLink } from '../../../../ui/page/links.tsx'
import type { StepId } from '../steps.ts'

interface Props {
  readonly id: StepId
  readonly label?: string
  readonly children: ReactNode
}

export function StepLink({ id, label, children }: Props) {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>
  return (
    <TextLink
      to="."
      search={{ ...search, step: id }}
      underline="always"
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </TextLink>
  )
}
