import type { ReleaseHook } from '../release-hook.js'
import type { RecordedChart, Repeat } from '../renderer.js'
import type { WasmModule } from './web-assembly.js'

/** A request to the engine; the fields of scripts/helm-engine/messages.go. */
export interface EngineRequest {
  readonly files: readonly { readonly name: string; readonly data: string }[]
  /** The user's values as JSON. */
  readonly values: string
  readonly release: { name: string; namespace: string; revision: number; isInstall: boolean }
  readonly kubeVersion: string
  readonly apiVersions: readonly string[]
  /** By `apiVersion|kind|namespace|name`; `null` for what does not exist. */
  readonly lookups: Readonly<Record<string, object | null>>
}

/** The answer of the engine. */
export interface EngineAnswer {
  readonly error?: string
  readonly stage?: string
  readonly manifest: string
  readonly hooks: readonly ReleaseHook[] | null
  /** Names hooks with an event that Helm does not know. */
  readonly leftOut: readonly string[] | null
  readonly crds: readonly { readonly name: string; readonly data: string }[] | null
  readonly notes: string
  readonly chart?: RecordedChart
  readonly asked: readonly string[] | null
}

/** A request to the thread of the engine. */
export interface ThreadRequest {
  /** JSON of an {@link EngineRequest}. */
  readonly text: string
  /** Asks for a new instance, so that the rendering can be repeated; default the instance that is there. */
  readonly repeat?: Repeat | undefined
}

/** The answer of the thread: the engine's JSON, or why there is none. */
export type ThreadAnswer = { readonly text: string } | { readonly problem: string }

/** The data that the thread starts with. */
export interface ThreadData {
  readonly module: WasmModule
}
