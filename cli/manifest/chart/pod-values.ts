import type { PodOptions } from '../pod-options.js'
import type { ChartValue } from './chart-values.js'
import { tokens } from './tokens.js'

/** Tokens in place of what users add to the Pods. */
export const podTokens: PodOptions = {
  env: [tokens.env],
  envFrom: [tokens.envFrom],
  imagePullSecrets: [tokens.imagePullSecrets],
  nodeSelector: [tokens.nodeSelector],
  tolerations: [tokens.tolerations],
}

const objects = { type: 'array', items: { type: 'object' } } as const
const named = { type: 'array', items: { type: 'object', required: ['name'] } } as const

/**
 * The values of a chart with which users add variables, Secrets and placement to the Pods of a program. `ownNames` are
 * the variables that the program needs itself, which users cannot set.
 */
export function podValues(options: PodOptions | undefined, ownNames: readonly string[]): ChartValue[] {
  const name = { type: 'string', minLength: 1, not: { enum: ownNames } }
  const variable = { type: 'object', required: ['name'], properties: { name } }
  const value = (
    member: keyof PodOptions,
    schema: ChartValue['schema'],
    fallback: object = [],
  ): ChartValue => ({ name: member, fallback: Object(options?.[member] ?? fallback), schema })
  return [
    value('env', {
      type: 'array',
      items: variable,
      description:
        'Variables of the program, with `value` or `valueFrom`, in addition to those that it needs.',
    }),
    value('envFrom', { ...objects, description: 'Secrets and ConfigMaps whose keys are variables.' }),
    value('imagePullSecrets', { ...named, description: 'Secrets for the registry of the image.' }),
    value(
      'nodeSelector',
      {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Labels of the nodes on which the Pods run.',
      },
      {},
    ),
    value('tolerations', { ...objects, description: 'Taints of nodes that the Pods tolerate.' }),
  ]
}

/** The names of the variables of the containers of the Deployments among objects, without tokens. */
export function variablesIn(manifests: readonly unknown[]): string[] {
  return manifests.flatMap((object) => {
    const { kind, spec } = Object(object)
    if (kind !== 'Deployment') return []
    const containers: { env: unknown[] }[] = spec.template.spec.containers
    return containers.flatMap(({ env }) => env.flatMap((variable) => Object(variable).name ?? []))
  })
}
