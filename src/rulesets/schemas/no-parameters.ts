import { Type } from 'typebox'
import { strict } from './parts.ts'
import { Shape } from './shape.ts'

/** Actions without parameters; an empty object is accepted, because Terraform sends one with every rule. */
export const emptyShape = new Shape(Type.Object({}, strict))
