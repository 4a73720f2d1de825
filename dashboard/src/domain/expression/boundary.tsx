import { Component, type ReactNode } from 'react'

interface Props {
  readonly children: ReactNode
  readonly failure: (error: unknown) => ReactNode
}

/** Contains a part that fails to load, so that the rest of the page stays. */
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
