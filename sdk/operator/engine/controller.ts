import type { KubeObject } from '../../kube/object.js'
import type { Resource } from '../../kube/resource.js'
import type { Unit } from '../../manager/unit.js'
import type { AccessRule, UnitEnvironment, UnitSource } from '../../manager/unit-source.js'
import { accessRulesOf } from '../controller/access-rules.js'
import type { ControllerOptions } from '../controller/definition.js'
import { wireController } from '../controller/wired-controller.js'
import type { Things } from '../effect/effect.js'
import { controllerUnit } from './unit.js'

/**
 * A controller of one kind, ready to be registered with an operator or a plugin. {@link controller} makes it.
 *
 * @example
 * ```ts
 * const definition = controller(backups, { reconcile: (ctx) => ctx.condition('Available', true, 'Done') })
 * console.log(definition.name) // memcachedbackups
 * ```
 */
export class ControllerDefinition<T extends KubeObject = KubeObject> implements UnitSource {
  readonly resource: Resource<T>
  readonly options: ControllerOptions<T>

  constructor(resource: Resource<T>, options: ControllerOptions<T>) {
    this.resource = resource
    this.options = options
  }

  get name(): string {
    return this.options.name ?? this.resource.plural
  }

  get accessRules(): readonly AccessRule[] {
    return accessRulesOf(this.resource, this.options)
  }

  unitFor(environment: UnitEnvironment): Unit {
    return controllerUnit(wireController(this, environment), environment)
  }
}

/**
 * Defines a controller: what its objects look like, what it owns and watches, and how it makes the clusters as an object
 * wants them.
 *
 * @example
 * ```ts
 * const backupController = controller(backups, {
 *   owns: [deployments],
 *   async reconcile(ctx, backup) {
 *     const live = await ctx.apply(deployments, deploymentFor(backup))
 *     ctx.condition('Available', live.status?.readyReplicas === backup.spec.size, 'DeploymentReady')
 *   },
 * })
 * ```
 */
export function controller<T extends KubeObject, M extends Things = Record<never, never>>(
  resource: Resource<T>,
  options: ControllerOptions<T, M>,
): ControllerDefinition<T> {
  return new ControllerDefinition(resource, options as unknown as ControllerOptions<T>)
}
