/**
 * Options that annotations of a custom resource set for its own release. The program decides which options users may
 * set. An annotation that cannot be read, or that users may not set, changes nothing and is reported.
 */
import { PluginError } from '../../engine/kube/error.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { type AnnotationOption, type AnnotationOptions, annotationForms } from './annotation-options.js'

/** The names of annotations by the option that they set. */
export type AnnotationNames = Readonly<Partial<Record<AnnotationOption, string>>>

const prefix = 'helm.sdk.operatorframework.io/'

/** The names of all annotations, with the prefix of helm-operator-plugins; a program picks the ones that it allows. */
export const annotationNames: Readonly<Record<AnnotationOption, string>> = {
  installDescription: `${prefix}install-description`,
  upgradeDescription: `${prefix}upgrade-description`,
  uninstallDescription: `${prefix}uninstall-description`,
  installDisableHooks: `${prefix}install-disable-hooks`,
  upgradeDisableHooks: `${prefix}upgrade-disable-hooks`,
  uninstallDisableHooks: `${prefix}uninstall-disable-hooks`,
  upgradeForce: `${prefix}upgrade-force`,
  rollbackForce: `${prefix}rollback-force`,
  uninstallWait: `${prefix}uninstall-wait`,
  abandon: `${prefix}abandon`,
  timeoutMs: `${prefix}timeout`,
  reconcilePeriodMs: `${prefix}reconcile-period`,
  maxHistory: `${prefix}max-history`,
  wait: `${prefix}wait`,
  rollbackTo: `${prefix}rollback-to`,
  retry: `${prefix}retry`,
  renew: `${prefix}renew`,
}

const { installDescription, upgradeDescription, uninstallDescription, upgradeForce, ...others } =
  annotationNames
const { installDisableHooks, upgradeDisableHooks, uninstallDisableHooks } = others

/** The seven annotations that helm-operator-plugins has. */
export const defaultAnnotations: AnnotationNames = {
  installDescription,
  upgradeDescription,
  uninstallDescription,
  upgradeForce,
  installDisableHooks,
  upgradeDisableHooks,
  uninstallDisableHooks,
}

/** The options of one custom resource. */
export interface ReadAnnotations {
  readonly options: AnnotationOptions
  /** A sentence for each annotation that cannot be read, or that users may not set. */
  readonly problems: readonly string[]
}

/** Reads the options that annotations set. */
export class AnnotationReader {
  readonly #names: readonly (readonly [AnnotationOption, string])[]
  /** Known annotations that the program does not let users set. */
  readonly #closed: readonly string[]

  /** Throws `PluginError` `INVALID_REGISTRATION` if two options have an annotation of the same name. */
  constructor(names: AnnotationNames = defaultAnnotations) {
    this.#names = Object.entries(names) as [AnnotationOption, string][]
    const options = new Map<string, AnnotationOption>()
    for (const [option, name] of this.#names) {
      const other = options.get(name)
      if (other) throw duplicateError(name, [other, option])
      options.set(name, option)
    }
    this.#closed = Object.values(annotationNames).filter((name) => !options.has(name))
  }

  /** The options of a custom resource; those whose annotation cannot be read are left out. */
  read({ metadata: { annotations = {} } }: KubeObject): ReadAnnotations {
    const options: Record<string, unknown> = {}
    const problems = this.#closed
      .filter((name) => Object.hasOwn(annotations, name))
      .map(
        (name) =>
          `users may not set the annotation ${name}: the option annotations of the program does not have it`,
      )
    for (const [option, name] of this.#names) {
      const text = Object.hasOwn(annotations, name) ? annotations[name] : undefined
      if (text === undefined) continue
      const { read, expected } = annotationForms[option]
      const value = read(text)
      if (value === undefined)
        problems.push(`the annotation ${name} is ${JSON.stringify(text)}, not ${expected}`)
      else options[option] = value
    }
    return { options, problems }
  }
}

const duplicateError = (name: string, options: readonly AnnotationOption[]) =>
  new PluginError(
    'INVALID_REGISTRATION',
    `the annotation ${name} is used for ${options.join(' and ')}: rename one`,
  )
