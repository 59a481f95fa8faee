// The metadata of a manager: in an annotation of its Module, or in a Secret if it is large.
import type { Client } from '../../../engine/client/client.js'
import { type Secret, secrets } from '../../../engine/kube/builtin.js'
import { shortenedName } from '../../../engine/kube/concat-name.js'
import { isConflict, isNotFound } from '../../../engine/kube/error.js'
import { keyOf } from '../../../engine/kube/key.js'
import { apiVersionOf } from '../../../engine/kube/resource.js'
import type { Module } from '../../kinds/module.js'
import { modules } from '../../kinds/module-kind.js'
import { MetaData } from '../../metadata/metadata.js'
import { MetaDataError } from '../../metadata/metadata-error.js'
import type { ModuleAnnotations } from '../definition/module-annotations.js'

/** The annotation with the metadata of a manager. */
const metaDataAnnotation = 'forkspacer.com/manager-data'

/** The maximum size in an annotation, in bytes. Kubernetes allows 256 KiB for all annotations of an object. */
const annotationLimitBytes = 64 * 1024
/** The maximum size in a Secret, in bytes. */
const secretLimitBytes = 900 * 1024
const secretKey = 'metadata'
/** The most secret texts that metadata is searched for. With more of them, all metadata is kept in a Secret. */
const maxSearchedTexts = 1_000

/** The stored metadata is not a JSON object. It is left alone until somebody corrects or removes it. */
export class BadMetaDataError extends Error {
  override readonly name = 'BadMetaDataError'
}

/** Options of {@link MetaDataStore}. */
export interface MetaDataStoreOptions {
  readonly client: Client
  readonly annotations: ModuleAnnotations
  /** Whether all metadata is kept in a Secret; default only metadata of more than 64 KiB. */
  readonly inSecret: boolean
  /** Texts that must not be in an annotation. */
  readonly secretTexts: () => readonly string[]
}

/** Loads and stores the metadata of one Module during one operation. */
export class MetaDataStore {
  readonly #options: MetaDataStoreOptions
  /** The text that is stored. */
  #stored: string | undefined
  #secret: Secret | undefined

  private constructor(options: MetaDataStoreOptions, secret: Secret | undefined) {
    this.#options = options
    this.#secret = secret
    this.#stored = secret ? textOf(secret) : options.annotations.get(metaDataAnnotation)
  }

  /** Reads the stored metadata. */
  static async open(options: MetaDataStoreOptions): Promise<MetaDataStore> {
    return new MetaDataStore(options, await ownSecret(options))
  }

  /** The metadata as it is stored. Throws a {@link BadMetaDataError} if it cannot be read. */
  load(): MetaData {
    const metaData = new MetaData({
      maxBytes: secretLimitBytes,
      store: (values) => this.#store(JSON.stringify(values)),
    })
    if (this.#stored === undefined) return metaData
    try {
      metaData.parse(this.#stored)
      return metaData
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      const place = this.#secret
        ? `Secret ${this.#secret.metadata.name}`
        : `the annotation ${metaDataAnnotation}`
      throw new BadMetaDataError(`${why}; correct or remove ${place}`, { cause })
    }
  }

  /** Stores the metadata as it is now, if it differs from what is stored. */
  async save(metaData: MetaData): Promise<void> {
    const text = metaData.toString()
    const isUnused = this.#stored === undefined && text === '{}'
    if (!isUnused) await this.#store(text)
  }

  /** Stores a text, in the Secret if there is one or the text is large, else in the annotation. */
  async #store(text: string): Promise<void> {
    if (text === this.#stored) return
    const isLarge =
      Buffer.byteLength(text) > annotationLimitBytes || this.#options.secretTexts().length > maxSearchedTexts
    if (this.#secret || isLarge || this.#options.inSecret) await this.#storeInSecret(text)
    else await this.#storeInAnnotation(text)
    this.#stored = text
  }

  async #storeInAnnotation(text: string): Promise<void> {
    const { annotations, secretTexts } = this.#options
    if (secretTexts().some((secret) => text.includes(JSON.stringify(secret).slice(1, -1))))
      throw new MetaDataError(
        'INVALID_METADATA',
        'the metadata has the value of a secret configuration field, which an annotation must not have; register Modules with metadata: "secret"',
      )
    await annotations.set(metaDataAnnotation, text, ({ metadata }) => {
      if (metadata.annotations?.[metaDataAnnotation] !== this.#stored) throw conflictError(annotations.module)
    })
  }

  /**
   * Writes the Secret, then removes the annotation. In between the Secret takes precedence, because it is read first.
   */
  async #storeInSecret(text: string): Promise<void> {
    const { annotations } = this.#options
    if (this.#secret === undefined && annotations.get(metaDataAnnotation) !== this.#stored)
      throw conflictError(annotations.module)
    this.#secret = await this.#writeSecret(text).catch((error: unknown) => {
      throw isConflict(error) ? conflictError(annotations.module, 'Secret') : error
    })
    if (annotations.get(metaDataAnnotation) === undefined) return
    await annotations.set(metaDataAnnotation, null)
  }

  #writeSecret(text: string): Promise<Secret> {
    const { client, annotations } = this.#options
    const { name = '', namespace = '', uid = '' } = annotations.module.metadata
    const data = { [secretKey]: Buffer.from(text).toString('base64') }
    if (this.#secret) return client.update(secrets, { ...this.#secret, data })
    const owner = { apiVersion: apiVersionOf(modules), kind: modules.kind, name, uid }
    const metadata = { name: secretName(name), namespace, ownerReferences: [owner] }
    return client.create(secrets, { metadata, data })
  }
}

/** Whether the metadata in the annotation of a Module can be read. */
export function isReadableMetaData({ metadata }: Pick<Module, 'metadata'>): boolean {
  const text = metadata.annotations?.[metaDataAnnotation]
  try {
    if (text !== undefined) new MetaData({ maxBytes: secretLimitBytes, store: async () => {} }).parse(text)
    return true
  } catch {
    return false
  }
}

/** The maximum length of a name in Kubernetes. */
const maxNameLength = 253

const secretName = (module: string) => shortenedName(`${module}-manager-data`, maxNameLength)

/** The Secret with the metadata of a Module; undefined if there is none, or if it belongs to an earlier Module. */
async function ownSecret({ client, annotations }: MetaDataStoreOptions): Promise<Secret | undefined> {
  const { namespace, name } = keyOf(annotations.module)
  const secret = await client.get(secrets, { namespace, name: secretName(name) }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
  const { uid } = annotations.module.metadata
  return secret?.metadata.ownerReferences?.some((owner) => owner.uid === uid) ? secret : undefined
}

const textOf = ({ data = {} }: Secret) => Buffer.from(data[secretKey] ?? '', 'base64').toString('utf8')

/** Another client changed the stored metadata during an operation. */
function conflictError(module: Module, place: 'annotation' | 'Secret' = 'annotation'): MetaDataError {
  const { namespace, name } = keyOf(module)
  const stored = `${place} ${place === 'Secret' ? secretName(name) : metaDataAnnotation}`
  return new MetaDataError(
    'METADATA_CONFLICT',
    `the metadata of Module ${namespace}/${name} was changed by another client during the operation, in its ${stored}; nothing was overwritten, and the next attempt begins with what is stored`,
  )
}
