/**
 * Modules whose definition is a Helm release. It promises that `helm list`, `status` and `history` read what it
 * installs, and that a release that was adopted stays as it is. It leaves records and steps of a release to
 * `sdk/helm/`, and attempts to `module/`.
 */
import { randomUUID } from 'node:crypto'
import type { ReleaseView } from '../../engine/inspector/release-view.js'
import type { Clock } from '../../engine/time/clock.js'
import { type KindsCluster, ServedKinds } from '../../helm/reconciler/objects/capabilities.js'
import { defaultRenderer } from '../../helm/render/default-renderer.js'
import type { ChartRenderer } from '../../helm/render/renderer.js'
import type { OperationContext, OperationKind, OptionalMethod } from '../manager/manager.js'
import type { ManagerSession, ProgramFacts } from '../manager/program-runner.js'
import type { MetaData } from '../metadata/metadata.js'
import { adoptRelease, detachRelease } from './adopted-release.js'
import { checkRelease } from './check-release.js'
import {
  checkReleaseNamespace,
  checkSources,
  HelmCall,
  type HelmModule,
  type HelmParts,
  isAdopted,
} from './helm-call.js'
import type { HelmModulesOptions } from './helm-modules-options.js'
import { installRelease, uninstallRelease, upgradeRelease } from './managed-release.js'
import { ModuleCharts } from './module-charts.js'
import { resumeRelease, sleepRelease } from './release-sleep.js'
import { renderHelmSpec } from './render-helm-spec.js'
import { type ViewedModule, viewRelease } from './view-release.js'

type Step = (call: HelmCall) => Promise<void>

const managedSteps: Partial<Record<OperationKind, Step>> = {
  install: installRelease,
  uninstall: uninstallRelease,
  sleep: sleepRelease,
  resume: resumeRelease,
  upgrade: upgradeRelease,
  check: checkRelease,
}
const adoptedSteps: Partial<Record<OperationKind, Step | undefined>> = {
  ...managedSteps,
  install: adoptRelease,
  uninstall: detachRelease,
  upgrade: undefined,
}

/** Runs the managers of Helm releases. */
export class HelmModules {
  readonly #options: HelmModulesOptions
  readonly #charts: ModuleCharts
  readonly #holder = `${process.pid}-${randomUUID()}`
  readonly #kinds = new WeakMap<KindsCluster, ServedKinds>()
  #renderer: Promise<ChartRenderer> | undefined

  /** Throws for options that are not valid. */
  constructor(options: HelmModulesOptions) {
    this.#options = options
    this.#charts = new ModuleCharts(options.charts)
  }

  /** Throws a `PermanentError` for a spec that cannot be installed. */
  check({ spec, values, owner, cluster }: CheckedModule): void {
    const random = (_: string, length: number) => 'x'.repeat(length)
    const rendered = renderHelmSpec(spec, { ...owner.key, values }, random)
    checkReleaseNamespace(rendered.release, { owner, cluster: { name: cluster } }, this.#options)
    checkSources(rendered.spec, owner, this.#options)
  }

  /** The namespace that the releases of Modules of a namespace are in; undefined for any. */
  namespaceOf(namespace: string, isHome: boolean): string | undefined {
    return isHome && this.#options.releases !== 'all-namespaces' ? namespace : undefined
  }

  /** Makes the manager of a Module. */
  open(module: HelmModule): ManagerSession {
    const parts: HelmParts = {
      options: this.#options,
      charts: this.#charts,
      holder: this.#holder,
      kinds: this.#kindsOf(module.cluster, module.ctx.clock),
      renderer: () => this.#rendererOf(),
    }
    return new HelmSession(module, parts)
  }

  /** Reads the release of a Module, for the inspector; undefined if it has none. */
  view(module: Omit<ViewedModule, 'kinds'>, metaData: MetaData): Promise<ReleaseView | undefined> {
    const kinds = this.#kindsOf(module.cluster, module.clock)
    return viewRelease({ ...module, kinds }, { metaData, options: this.#options })
  }

  /** Ends the renderer. */
  async close(): Promise<void> {
    const renderer = await this.#renderer?.catch(() => undefined)
    this.#renderer = undefined
    if (!this.#options.renderer) await renderer?.close()
  }

  #kindsOf(cluster: KindsCluster, clock: Clock): ServedKinds {
    const kinds = this.#kinds.get(cluster) ?? new ServedKinds(cluster, clock)
    this.#kinds.set(cluster, kinds)
    return kinds
  }

  #rendererOf(): Promise<ChartRenderer> {
    const { renderer } = this.#options
    this.#renderer ??= renderer ? Promise.resolve(renderer) : defaultRenderer()
    return this.#renderer
  }
}

/** A Module before its definition is frozen. */
export interface CheckedModule extends Pick<HelmModule, 'spec' | 'values' | 'owner'> {
  /** The name of the cluster of the release. */
  readonly cluster: string
}

class HelmSession implements ManagerSession {
  readonly methods: readonly OptionalMethod[]
  #program: ProgramFacts = { name: 'helm' }
  readonly #module: HelmModule
  readonly #parts: HelmParts

  constructor(module: HelmModule, parts: HelmParts) {
    this.#module = module
    this.#parts = parts
    const check = parts.options.wait === 'none' ? [] : (['check'] as const)
    this.methods = isAdopted(module.spec) ? check : ['upgrade', ...check]
  }

  /** The chart. */
  get program(): ProgramFacts {
    return this.#program
  }

  async call(operation: OperationKind, ctx: OperationContext, metaData: MetaData): Promise<boolean> {
    const call = new HelmCall({ module: this.#module, parts: this.#parts, ctx, metaData })
    await (call.isAdopted ? adoptedSteps : managedSteps)[operation]?.(call)
    this.#program = call.chart ?? this.#program
    return true
  }

  async close(): Promise<void> {}
}
