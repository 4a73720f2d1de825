import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  readonly failure: (error: unknown) => ReactNode
}

/** Keeps a part that cannot be loaded from taking its page with it. */
export class Boundary extends Component<Props, { readonly error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === undefined ? this.props.children : this.props.failure(error)
  }
}
