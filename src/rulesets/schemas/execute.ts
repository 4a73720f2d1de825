import { type Static, Type } from 'typebox'
import { integer, name, strict } from './parts.ts'
import { Shape } from './shape.ts'

/** The members that overrides of all three levels share. */
const overrideMembers = {
  action: Type.Optional(Type.Enum(['block', 'challenge', 'js_challenge', 'log', 'managed_challenge'])),
  enabled: Type.Optional(Type.Boolean()),
}

const overrides = Type.Object(
  {
    ...overrideMembers,
    categories: Type.Optional(Type.Array(Type.Object({ category: name, ...overrideMembers }, strict))),
    rules: Type.Optional(
      Type.Array(
        Type.Object({ id: name, ...overrideMembers, score_threshold: Type.Optional(integer(1)) }, strict),
      ),
    ),
  },
  strict,
)

/** @source Cloudflare API, execute rule */
export const executeShape = new Shape(
  Type.Object(
    {
      id: name,
      version: Type.Optional(Type.String({ description: '`latest` (the default) or a number' })),
      overrides: Type.Optional(overrides),
      matched_data: Type.Optional(
        Type.Object(
          {
            public_key: Type.String({
              pattern: '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$',
              description: 'the standard base64 of 32 bytes',
            }),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  { misplaced: { sensitivity_level: 'only DDoS protection rulesets have a sensitivity level' } },
)

export type ExecuteParameters = Static<typeof executeShape.schema>

export type Overrides = NonNullable<ExecuteParameters['overrides']>
