import type { JsonObject } from '../../chart/json-object.js'
import type { ReleaseHook } from '../release-hook.js'
import type { Repeat } from '../renderer.js'
import type { LookupChannel } from './lookup-asker.js'
import type { WasmModule } from './web-assembly.js'

/** The head of a request to the engine; the fields of scripts/helm-engine/messages.go. The files follow it. */
export interface EngineRequest {
  readonly files: readonly { readonly name: string; readonly size: number }[]
  /** The user's values as JSON. */
  readonly values: string
  readonly release: { name: string; namespace: string; revision: number; isInstall: boolean }
  readonly kubeVersion: string
  readonly apiVersions: readonly string[]
  /** The known objects by `apiVersion|kind|namespace|name`; `null` for an object that does not exist. */
  readonly lookups: Readonly<Record<string, object | null>>
  /** Whether the chart is rendered although lookups are not answered. */
  readonly isLastRound: boolean
  /** The files in `crds/` whose documents are known. */
  readonly knownCRDs: readonly string[]
  /** One for each variant. */
  readonly variants: readonly object[]
}

/** The result of the templates. */
export interface EngineRendering {
  /** The size of the manifest, in bytes. */
  readonly manifest: number
  /** The documents of the manifest, and then one for each hook. */
  readonly documents: readonly EngineDocument[] | null
  readonly hooks: readonly ReleaseHook[] | null
  /** Names hooks with an event that Helm does not know. */
  readonly leftOut: readonly string[] | null
  readonly notes: string
}

/**
 * The head of an answer of the engine. The manifest and the JSON of the documents follow it, in the order of these
 * fields, and then those of each variant.
 */
export interface EngineAnswer extends EngineRendering {
  readonly error?: string
  readonly stage?: string
  /** The files in `crds/`. */
  readonly crds: readonly string[] | null
  /** The documents of the files in `crds/` that were not known. */
  readonly crdDocuments: readonly EngineDocument[] | null
  readonly chart?: EngineChart
  readonly asked: readonly string[] | null
  /** The number of calls of random or time-dependent functions; undefined if the engine does not count them. */
  readonly draws?: number
  /** The renderings with other seeds; those from the first failed one on are missing. */
  readonly variants?: readonly EngineRendering[]
}

/** A document of YAML as JSON. */
export interface EngineDocument {
  readonly source: string
  /** The bytes of the JSON. */
  readonly size: number
  /** The bytes of the YAML. */
  readonly length: number
  /** The place of an equal document of the answer, in a variant, instead of JSON. */
  readonly same?: number
}

/** The parts of a chart that depend on the values. */
export interface EngineChart {
  readonly metadata: JsonObject
  readonly lock: JsonObject | null
  readonly values: JsonObject | null
}

/** A request to the thread of the engine. */
export interface ThreadRequest {
  /** JSON of an {@link EngineRequest}. */
  readonly head: string
  /** The files of the chart, one after the other. The memory is shared with the thread. */
  readonly files: Uint8Array
  /** Requests a new instance, so that the rendering can be repeated; default: the existing instance is used. */
  readonly repeat?: Repeat | undefined
  /** The seeds of the variants; default none. */
  readonly variants?: readonly Repeat[] | undefined
  /** Whether the thread may ask for objects while it renders. */
  readonly answersLookups: boolean
}

/** The answer of the thread: the engine's answer and the memory of the instance in bytes, or why there is none. */
export type ThreadAnswer =
  | { readonly bytes: Uint8Array; readonly memoryBytes: number }
  | { readonly problem: string }

/** The data that the thread starts with. */
export interface ThreadData {
  readonly module: WasmModule
  readonly lookups: LookupChannel
}
