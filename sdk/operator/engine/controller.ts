import { noFacts, type ObjectFacts } from '../../engine/inspector/fact-view.js'
import type { CustomResourceDefinition } from '../../engine/kube/builtin.js'
import { PluginError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { requireResource } from '../../engine/kube/require-resource.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { plainOptions } from '../../engine/manager/plain-options.js'
import type { Unit } from '../../engine/manager/unit.js'
import type { AccessRule, UnitEnvironment, UnitSource } from '../../engine/manager/unit-source.js'
import { accessRulesOf } from '../controller/access-rules.js'
import { rulesOfPermissions } from '../controller/controller-permission.js'
import { type DeclaredScope, declaredScopes } from '../controller/declared-scopes.js'
import type { ControllerOptions } from '../controller/definition.js'
import type { Owned } from '../controller/owned.js'
import type { Watched } from '../controller/watch.js'
import { wireController } from '../controller/wired-controller.js'
import type { Things } from '../effect/effect.js'
import type { ConditionDeclaration } from '../kind/define/condition.js'
import { checkControllerOptions, controllerOptionTypes } from './check-controller-options.js'
import { checkLimits } from './check-limits.js'
import { checkOneForm } from './check-one-form.js'
import { checkReconcile } from './check-reconcile.js'
import { checkSharedKind } from './check-shared-kind.js'
import type { ReleaseReader } from './inspection.js'
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
export interface ControllerDefinition<T extends KubeObject = KubeObject> {
  /** Its name in logs, metrics and the inspector. */
  readonly name: string
  /** The kind of its objects. */
  readonly resource: Resource<T>
  readonly options: ControllerOptions<T>
}

/** Controllers of several kinds, which are registered with one call. */
export type ControllerDefinitions<T extends readonly KubeObject[]> = {
  readonly [Kind in keyof T]: ControllerDefinition<T[Kind]>
}

/** A controller with what a program needs to run it. */
export class RegistrableController<T extends KubeObject = KubeObject>
  implements ControllerDefinition<T>, UnitSource
{
  readonly resource: Resource<T>
  readonly options: ControllerOptions<T>
  /** The definition of its kind, where the resource does not have one; for descriptions of the program. */
  readonly definition: CustomResourceDefinition | undefined

  constructor(resource: Resource<T>, options: ControllerOptions<T>, definition?: CustomResourceDefinition) {
    this.definition = definition
    this.resource = resource
    this.options = options
  }

  get name(): string {
    return this.options.name ?? this.resource.plural
  }

  /** The kinds that it declares. Throws `PluginError` if they contradict each other. */
  get scopes(): readonly DeclaredScope[] {
    return declaredScopes(this.name, this.resource, this.options)
  }

  get accessRules(): readonly AccessRule[] {
    const { permissions = [], cluster } = this.options
    return [...accessRulesOf(this.resource, this.options), ...rulesOfPermissions(permissions, cluster)]
  }

  get writesTemporaryFiles(): boolean {
    return false
  }

  async findPermissions(): Promise<void> {}

  checkBeside(others: readonly UnitSource[]): void {
    checkReconcile(this.name, this.options)
    checkLimits(this.name, this.options)
    const controllers = others.filter((one) => one instanceof RegistrableController)
    checkSharedKind(this, controllers)
    checkOneForm({ name: this.name, scopes: this.scopes }, controllers)
  }

  /** Reads the releases of its objects; undefined if they have none. */
  get releases(): ReleaseReader | undefined {
    return undefined
  }

  /** The facts about an object that the inspector and `why` show in addition to its conditions. */
  factsOf(_object: KubeObject): ObjectFacts {
    return noFacts
  }

  unitFor(environment: UnitEnvironment): Unit {
    const views = { releases: this.releases, factsOf: (object: KubeObject) => this.factsOf(object) }
    return controllerUnit(wireController(this, environment), { ...environment, views })
  }
}

/** Throws a `PluginError` `INVALID_REGISTRATION` for an object that {@link controller} did not make. */
export function registrable<T extends KubeObject>(
  definition: ControllerDefinition<T>,
): RegistrableController<T> {
  if (definition instanceof RegistrableController) return definition
  const { name = definition === undefined ? 'undefined' : 'a value without a name' } = Object(definition) as {
    name?: string
  }
  const message = `${name} is not a controller: register what controller(kind, options) returns`
  throw new PluginError('INVALID_REGISTRATION', message)
}

/**
 * Defines a controller: what its objects look like, what it owns and watches, and how it makes the clusters as an
 * object wants them. Throws a `TypeError` for an option that it does not have; an instance of a class may have members
 * of its own.
 *
 * @example
 * ```ts
 * const backupController = controller(backups, {
 *   owns: [deployments],
 *   async reconcile(ctx, backup) {
 *     const live = await ctx.apply(deployments, deploymentFor(backup))
 *     ctx.condition('Available', (live.status?.readyReplicas ?? 0) === backup.spec.size, 'DeploymentReady')
 *   },
 * })
 * ```
 */
export function controller<
  T extends KubeObject,
  M extends Things = Record<never, never>,
  OfKind extends string = string,
  Condition extends string = OfKind,
  Owns extends Resource | Owned = never,
  Watches extends Watched = never,
>(
  resource: Resource<T> & { readonly conditions?: readonly ConditionDeclaration<OfKind>[] },
  options: ControllerOptions<T, M, Condition, Owns, Watches>,
): ControllerDefinition<T> {
  requireResource('a controller', resource)
  checkStatus(resource)
  const given = Object(options) as ControllerOptions<T>
  checkControllerOptions(given.name ?? resource.plural, given)
  const plain = plainOptions(given, controllerOptionTypes)
  // Without reconcile the registration looks for a misspelt one.
  return new RegistrableController(resource, typeof plain.reconcile === 'function' ? plain : given)
}

/** A controller writes conditions. */
function checkStatus(resource: Resource & { readonly options?: { readonly status?: unknown } }): void {
  if (resource.options?.status !== false) return
  const message = `${formatResource(resource)} have no status, in which a controller reports: remove status: false from the kind, or watch the kind with a controller of another one`
  throw new PluginError('INVALID_REGISTRATION', message)
}
