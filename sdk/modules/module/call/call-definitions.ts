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

/** Finds the definitions of a call. */
export class CallDefinitions {
  /** All definitions found so far, in the order in which they were found. */
  readonly all: FrozenDefinition[] = []
  readonly #options: ModuleOfRun & { readonly operation: CallFacts }

  constructor(options: ModuleOfRun & { readonly operation: CallFacts }) {
    this.#options = options
  }

  /** The definition that a Module is installed with, or that installs it. */
  async findInstalled(annotations: ModuleAnnotations): Promise<FrozenDefinition> {
    const known = await frozenDefinition(annotations.module.metadata)
    const definition = await this.#definitionOf(known, annotations)
    if (!definition)
      throw new PermanentError(
        `the annotation ${definitionAnnotation} is gone, which says what was installed; create another Module`,
      )
    this.all.push(definition)
    return definition
  }

  async #definitionOf(
    known: FrozenDefinition | undefined,
    annotations: ModuleAnnotations,
  ): Promise<FrozenDefinition | undefined> {
    const { kind, changed: isChanged = false } = this.#options.operation
    if (kind === 'upgrade' || kind === 'check') return known
    const options = this.#freezeOptions
    const { module } = annotations
    if (kind === 'install') return definitionToInstall({ module, known, isChanged }, options)
    const accepted = known && acceptedDigest(module, known)
    if (known && accepted === undefined) return { ...known, cluster: known.cluster ?? options.cluster }
    const frozen = known ? await withAcceptedDigest(known, accepted, options) : await resolve(module, options)
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
