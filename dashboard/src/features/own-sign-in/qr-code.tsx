import { generate } from 'lean-qr'
import { useMemo } from 'react'

interface Props {
  readonly text: string
  readonly label: string
}

/** Dark on light in every theme, which cameras need, with the quiet zone of four modules. */
export function QrCode({ text, label }: Props) {
  const { size, path } = useMemo(() => drawn(text), [text])
  const quiet = 4
  const side = size + 2 * quiet
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} width={200} height={200}>
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" transform={`translate(${quiet} ${quiet})`} shapeRendering="crispEdges" />
    </svg>
  )
}

function drawn(text: string): { readonly size: number; readonly path: string } {
  const code = generate(text)
  const squares: string[] = []
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) squares.push(`M${x} ${y}h1v1h-1z`)
  return { size: code.size, path: squares.join('') }
}
