import type { Document } from 'yaml'
import { PluginError } from '../kube/error.js'
import { parseJson } from '../kube/json.js'
import { isJsonObject } from '../kube/json-object.js'
import { loadYaml } from '../kube/load-yaml.js'
import { checkYamlSize } from '../kube/yaml-size.js'

/** A `PluginError` with code `INVALID_KUBECONFIG`, whose message begins with the kubeconfig's name. */
export function kubeconfigError(source: string, message: string): PluginError {
  return new PluginError('INVALID_KUBECONFIG', `${source} ${message}`)
}

/**
 * Parses a kubeconfig's YAML (or JSON) and gives typed access to it.
 *
 * Scalars stay text, as Go decodes them into string fields: a token `0123` is not the number 123. No message
 * quotes the text, which may hold credentials.
 *
 * @throws `PluginError` with code `INVALID_KUBECONFIG` that names the line
 */
export async function parseKubeconfig(source: string, text: string): Promise<KubeconfigNode> {
  // Loaded only when needed, because a plugin in a cluster has no kubeconfig and needs no YAML parser.
  const yaml = await loadYaml()
  const { LineCounter, parseDocument } = yaml
  try {
    checkYamlSize(text)
  } catch (cause) {
    throw kubeconfigError(source, `does not parse: ${cause instanceof Error ? cause.message : cause}.`)
  }
  const lineCounter = new LineCounter()
  const document = parseDocument(text, {
    schema: 'failsafe',
    customTags: ['null', 'bool'],
    lineCounter,
    prettyErrors: false,
  })
  const [error] = document.errors
  if (error) {
    const { line, col } = lineCounter.linePos(error.pos[0])
    const reason = error.message.split(/[:"]/)[0]?.trim() ?? error.code
    throw kubeconfigError(source, `does not parse: line ${line}, column ${col}: ${reason}.`)
  }
  readNumbers(document, yaml)
  const value = documentValue(document, source)
  if (isJsonObject(value)) return new KubeconfigNode(source, '', value)
  throw kubeconfigError(
    source,
    'line 1: is not a kubeconfig: it should be a mapping with clusters, users and contexts.',
  )
}

/** The value of a document. The parser finds only now that an alias has no anchor, or that there are too many. */
function documentValue(document: Document, source: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    throw kubeconfigError(source, 'does not parse: an alias has no anchor, or there are too many aliases.')
  }
}

const numberSource = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/

/** An extension has values of any type, for an exec plugin for example, so its numbers are numbers. */
function readNumbers(document: Document, { isScalar, visit }: Awaited<ReturnType<typeof loadYaml>>): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'extension' || value === null) return
      visit(value as Document['contents'], {
        Scalar(position, scalar) {
          const { type, source = '' } = scalar
          if (position !== 'key' && type === 'PLAIN' && numberSource.test(source))
            scalar.value = parseJson(source)
        },
      })
      return visit.SKIP
    },
  })
}

/** A mapping in a kubeconfig; its accessors check the types of what they return. */
export class KubeconfigNode {
  readonly source: string
  readonly #path: string
  readonly #fields: Record<string, unknown>

  constructor(source: string, path: string, fields: Record<string, unknown>) {
    this.source = source
    this.#path = path
    this.#fields = fields
  }

  /** A text field; undefined if it is absent, null or empty. */
  text(name: string): string | undefined {
    const value = this.#fields[name] ?? ''
    if (typeof value === 'string') return value === '' ? undefined : value
    if (typeof value === 'boolean') return String(value)
    throw this.#invalidError(name, 'text')
  }

  /** A boolean field; absent means false. */
  flag(name: string): boolean {
    const value = this.#fields[name] ?? false
    if (typeof value === 'boolean') return value
    throw this.#invalidError(name, 'true or false')
  }

  /** A list of texts; absent means empty. */
  texts(name: string): string[] {
    return this.list(name).map((value) => {
      if (typeof value === 'string') return value
      throw this.#invalidError(name, 'a list of texts')
    })
  }

  /** A list of mappings; absent means empty. */
  nodes(name: string): KubeconfigNode[] {
    return this.list(name).map((value, index) => {
      if (isJsonObject(value))
        return new KubeconfigNode(this.source, this.#pathOf(`${name}[${index}]`), value)
      throw this.#invalidError(name, 'a list of mappings')
    })
  }

  /** A mapping; undefined if it is absent or null. */
  child(name: string): KubeconfigNode | undefined {
    const value = this.#fields[name]
    if (value === undefined || value === null || value === '') return undefined
    if (isJsonObject(value)) return new KubeconfigNode(this.source, this.#pathOf(name), value)
    throw this.#invalidError(name, 'a mapping')
  }

  /** The first mapping with this `name` in a list. */
  named(list: string, name: string): KubeconfigNode | undefined {
    return this.nodes(list).find((node) => node.text('name') === name)
  }

  /** All fields, unchecked. */
  record(): Record<string, unknown> {
    return this.#fields
  }

  /** A list of any values; absent means empty. */
  list(name: string): readonly unknown[] {
    const value = this.#fields[name]
    if (value === undefined || value === null || value === '') return []
    if (Array.isArray(value)) return value
    throw this.#invalidError(name, 'a list')
  }

  #pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`
  }

  #invalidError(name: string, expected: string): PluginError {
    return kubeconfigError(
      this.source,
      `has ${this.#pathOf(name)} of the wrong type: it should be ${expected}.`,
    )
  }
}
