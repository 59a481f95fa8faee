// The definitions of one call: the one that the Module is installed with, and the one that an upgrade leads to.
import { PermanentError } from '../../../engine/kube/error.js'
import type { OperationRecord } from '../../kinds/module.js'
import type { OperationKind } from '../../manager/manager.js'
import { type ModuleOfRun, workspaceCluster } from '../connection/target-cluster.js'
import { definitionAnnotation, type FrozenDefinition, frozenDefinition } from '../definition/definition.js'
import type { ModuleAnnotations } from '../definition/module-annotations.js'
import {
  acceptedDigest,
  type FreezeOptions,
  freeze,
  resolve,
  withAcceptedDigest,
} from '../installation/freeze.js'
import { definitionToInstall } from '../installation/installation.js'
import { wantedDefinition } from '../installation/upgrade.js'
import { checkHelm, readerOf } from './module-programs.js'

/** The facts of a call: an attempt of an operation, or a check. */
export type CallFacts = Pick<OperationRecord, 'id' | 'attempt' | 'target' | 'changed'> & {
  readonly kind: OperationKind
}

/** Finds the definitions of a call. `ModuleCall` makes one for each call, and reads secret texts from `all`. */
export class CallDefinitions {
  /** All definitions found so far, in the order in which they were found. */
  readonly all: FrozenDefinition[] = []
  readonly #options: ModuleOfRun & { readonly operation: CallFacts }

  constructor(options: ModuleOfRun & { readonly operation: CallFacts }) {
    this.#options = options
  }

  /** The definition that a Module is installed with, or that installs it. */
  async findInstalled(annotations: ModuleAnnotations): Promise<FrozenDefinition> {
    const frozenBefore = await frozenDefinition(annotations.module.metadata)
    const definition = await this.#definitionOf(frozenBefore, annotations)
    if (!definition)
      throw new PermanentError(
        `the annotation ${definitionAnnotation} is gone, which says what was installed; create another Module`,
      )
    this.all.push(definition)
    return definition
  }

  /** The definition for the kind of the operation; undefined if the Module should have one and does not. */
  async #definitionOf(
    frozenBefore: FrozenDefinition | undefined,
    annotations: ModuleAnnotations,
  ): Promise<FrozenDefinition | undefined> {
    const { kind, changed: isChanged = false } = this.#options.operation
    if (kind === 'upgrade' || kind === 'check') return frozenBefore
    const options = this.#freezeOptions
    const { module } = annotations
    if (kind === 'install') return definitionToInstall({ module, known: frozenBefore, isChanged }, options)
    const accepted = frozenBefore && acceptedDigest(module, frozenBefore)
    if (frozenBefore && accepted === undefined)
      return { ...frozenBefore, cluster: frozenBefore.cluster ?? options.cluster }
    const frozen = frozenBefore
      ? await withAcceptedDigest(frozenBefore, accepted, options)
      : await resolve(module, options)
    await freeze(frozen, annotations)
    return frozen
  }

  get #freezeOptions(): FreezeOptions {
    return {
      programs: this.#options.environment.programs,
      reader: readerOf(this.#options),
      cluster: workspaceCluster(this.#options),
      checkHelm: (spec, values) => checkHelm({ spec, values }, this.#options),
    }
  }

  /** The definition that an upgrade leads to. */
  async findWanted(installed: FrozenDefinition): Promise<FrozenDefinition> {
    const { module, environment, operation } = this.#options
    if (installed.upgrade === operation.target) return installed
    const wanted = await wantedDefinition(module, installed, {
      programs: environment.programs,
      reader: readerOf(this.#options),
      checkHelm: (spec, values) => checkHelm({ spec, values }, this.#options, installed.cluster),
    })
    this.all.push(wanted)
    return wanted
  }
}
