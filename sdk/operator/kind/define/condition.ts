import type { JsonSchema } from '../schema/json-schema.js'

/** A condition in the status of an object, as `metav1.Condition` has it. */
export interface KindCondition<Type extends string = string> {
  type: Type
  status: 'True' | 'False' | 'Unknown'
  /** The generation of the object that the condition is about. */
  observedGeneration?: number
  lastTransitionTime: string
  /** One word in CamelCase. */
  reason: string
  message: string
}

/** A condition type that the controller of a kind writes. */
export interface ConditionDeclaration<Type extends string = string> {
  readonly type: Type
  /** The status that means that all is well. Default `True`. */
  readonly goodWhen?: 'True' | 'False'
}

const typePattern =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$'

/** Why a text cannot be a condition type; `undefined` if it can. */
export function conditionTypeProblem(type: string): string | undefined {
  if (type.length <= 316 && new RegExp(typePattern).test(type)) return undefined
  return `is not a condition type; write one word in CamelCase, for example Ready, got ${JSON.stringify(type)}`
}

/**
 * The list of conditions: each type is an element of its own, so that several controllers can write theirs. The limits
 * are those of `metav1.Condition`.
 */
export const conditionsSchema: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: { type: 'string', maxLength: 32768 },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 1024,
        pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
      },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: { type: 'string', maxLength: 316, pattern: typePattern },
    },
    required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
}
