import { configMaps } from '../engine/kube/builtin.js'
import { backups } from './backups.fixture.js'
import { type ControllerDefinition, controller } from './engine/controller.js'
import type { Operator } from './operator.js'

/** The ConfigMaps that {@link sharing} keep for an object of this size. */
export interface KeptConfigMaps {
  /** Its own one. */
  readonly own: (size: number) => boolean
  /** The one that all of them apply, each its own field of the data. */
  readonly common: (size: number) => boolean
}

/** A controller of backups that shares its kind with others, and owns ConfigMaps of this namespace like them. */
export function sharing(name: string, kept: KeptConfigMaps, namespace = 'default'): ControllerDefinition {
  return controller(backups, {
    name,
    shared: true,
    conditions: [],
    owns: [configMaps],
    async reconcile(ctx, { spec }) {
      if (kept.own(spec.size)) await ctx.apply(configMaps, { metadata: { namespace, name: `of-${name}` } })
      const data = { [name]: `${spec.size}` }
      if (kept.common(spec.size))
        await ctx.apply(configMaps, { metadata: { namespace, name: 'of-all' }, data })
    },
  }) as unknown as ControllerDefinition
}

/**
 * Two controllers of one kind: `left` wants its objects while the size is even, `right` the common one while it is
 * below 4.
 */
export const leftAndRight: readonly ControllerDefinition[] = [
  sharing('left', { own: (size) => size % 2 === 0, common: (size) => size % 2 === 0 }),
  sharing('right', { own: () => true, common: (size) => size < 4 }),
]

/** Registers {@link leftAndRight}. */
export const registerSharing = (operator: Operator): void => registerAll(operator, leftAndRight)

/** Registers controllers. */
export function registerAll(operator: Operator, definitions: readonly ControllerDefinition[]): void {
  for (const definition of definitions) operator.register(definition)
}
