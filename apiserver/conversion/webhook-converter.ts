import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import type { OpenObject } from '../base/object.js'
import { once } from '../base/once.js'
import { pruneResource } from '../custom/prune.js'
import { ConversionRequired, type Converter, type Versions } from '../resources/converter.js'
import type { Schema } from '../schema/structural-schema.js'
import { Entry } from '../store/entry.js'
import type { ConversionWebhook } from './conversion-review.js'

/** Options of {@link WebhookConverter}. */
export interface WebhookConverterOptions {
  readonly webhook: ConversionWebhook
  readonly group: string
  readonly kind: string
  readonly storageVersion: string
  /** The version of a stored entry. */
  readonly versionOf: (entry: Entry) => string
  /** The schema of a version. */
  readonly schemaOf: (version: string) => Schema
}

/** An object in its storage version, and the same object converted back to the version of the request. */
interface PreparedObject {
  readonly stored: OpenObject
  readonly served: OpenObject
}

/** Loads the code that calls webhooks with the first conversion. */
const loadReviews = once(() => import('./conversion-review.js'))

/** The maximum number of concurrent calls of the webhook. */
const maxConcurrentCalls = 16
/** The maximum number of conversions that are cached by the content of the object. */
const maxForms = 1000

/** Converts by a webhook, each stored entry once for each version. */
export class WebhookConverter implements Converter {
  readonly #options: WebhookConverterOptions
  readonly #views = new WeakMap<Entry, Map<string, Entry>>()
  readonly #prepared = new WeakMap<OpenObject, PreparedObject>()
  /** Forms of objects that are not stored, by their content. */
  readonly #forms = new Map<string, OpenObject>()

  constructor(options: WebhookConverterOptions) {
    this.#options = options
  }

  get storageVersion(): string {
    return this.#options.storageVersion
  }

  entriesIn(entries: readonly Entry[], version: string): Entry[] {
    const views = entries.map((entry) => this.#viewOf(entry, version))
    const unconverted = entries.filter((_, index) => views[index] === undefined)
    if (unconverted.length > 0) throw new ConversionRequired(() => this.#convertAll(unconverted, version))
    return views as Entry[]
  }

  async readAgain(entry: Entry, version: string): Promise<Entry> {
    const from = this.#options.versionOf(entry)
    if (from === version) return entry
    const object = await this.#convert(entry.object as OpenObject, { from, to: version })
    return new Entry(entry.key, object, entry.revision, version)
  }

  formIn(object: OpenObject, { from, to }: Versions): OpenObject {
    if (from === to) return object
    const { managedFields: _managed, ...metadata } = object.metadata
    const content = stringifyJson([from, to, { ...object, metadata }])
    const existing = this.#forms.get(content)
    if (existing !== undefined) return withManagedFields(existing, object)
    throw new ConversionRequired(async () => {
      const form = await this.#convert(object, { from, to })
      if (this.#forms.size >= maxForms) this.#forms.clear()
      this.#forms.set(content, form)
    })
  }

  async prepare(object: OpenObject, version: string): Promise<void> {
    const toStorage = { from: version, to: this.storageVersion }
    const stored = await this.#convert(object, toStorage)
    const served = await this.#convert(stored, { from: toStorage.to, to: toStorage.from })
    this.#prepared.set(object, { stored, served })
  }

  preparedForm(object: OpenObject, version: string): OpenObject {
    return version === this.storageVersion ? object : this.#preparationOf(object).stored
  }

  rememberWritten(entry: Entry, object: OpenObject, version: string): Entry {
    if (version === this.storageVersion) return entry
    const { served } = this.#preparationOf(object)
    const { resourceVersion } = entry.object.metadata
    const metadata = { ...served.metadata, ...(resourceVersion !== undefined && { resourceVersion }) }
    return this.#cacheView(entry, version, { ...served, metadata })
  }

  #preparationOf(object: OpenObject): PreparedObject {
    const prepared = this.#prepared.get(object)
    if (prepared === undefined) throw new Error('the object was not converted before it was stored')
    return prepared
  }

  #viewOf(entry: Entry, version: string): Entry | undefined {
    return this.#options.versionOf(entry) === version ? entry : this.#views.get(entry)?.get(version)
  }

  #cacheView(entry: Entry, version: string, object: OpenObject): Entry {
    const view = new Entry(entry.key, object, entry.revision, version)
    const views = this.#views.get(entry) ?? new Map<string, Entry>()
    this.#views.set(entry, views.set(version, view))
    return view
  }

  async #convertAll(entries: readonly Entry[], version: string): Promise<void> {
    for (let index = 0; index < entries.length; index += maxConcurrentCalls) {
      const batch = entries.slice(index, index + maxConcurrentCalls)
      await Promise.all(batch.map((entry) => this.#convertEntry(entry, version)))
    }
  }

  /** Two readers may convert the same entry; the first result counts. */
  async #convertEntry(entry: Entry, version: string): Promise<void> {
    const { object } = await this.readAgain(entry, version)
    if (this.#viewOf(entry, version) === undefined) this.#cacheView(entry, version, object as OpenObject)
  }

  async #convert(object: OpenObject, { from, to }: Versions): Promise<OpenObject> {
    const { webhook, group, kind, schemaOf } = this.#options
    const [apiVersion, desiredAPIVersion] = [from, to].map((version) => apiVersionOf({ group, version }))
    const requested = { ...object, apiVersion, kind } as OpenObject
    const { callConversionWebhook } = await loadReviews()
    const answer = await callConversionWebhook(webhook, {
      object: requested,
      desiredAPIVersion: desiredAPIVersion ?? '',
    })
    const { kind: _kind, apiVersion: _version, ...converted } = answer
    return { ...(pruneResource(converted, schemaOf(to)).value as OpenObject) }
  }
}

/** A form that was converted before, with the managed fields of the object: a conversion does not change them. */
function withManagedFields(form: OpenObject, { metadata: { managedFields } }: OpenObject): OpenObject {
  const { managedFields: _earlier, ...metadata } = form.metadata
  return { ...form, metadata: { ...metadata, ...(managedFields !== undefined && { managedFields }) } }
}
