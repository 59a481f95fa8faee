import { type FieldError, invalidValue } from '../validation/field-error.js'

/** A problem of a value: the sentence that identifies duplicates, and the error for the client. */
export interface ValidationFinding {
  readonly text: string
  readonly error: FieldError
}

/** The result of validating a value by a schema. */
export class Findings {
  /** By their texts. Made for the first finding, because most values are valid. */
  #findings: Map<string, ValidationFinding> | undefined
  /** The number of passed checks. The best of several alternatives has the most. */
  matches = 0

  get all(): readonly ValidationFinding[] {
    return [...(this.#findings?.values() ?? [])]
  }

  get isValid(): boolean {
    return this.#findings === undefined
  }

  /** Adds findings without duplicates. */
  add(...findings: readonly (ValidationFinding | undefined)[]): this {
    for (const finding of findings) if (finding !== undefined) this.#addOne(finding)
    return this
  }

  /** Adds the findings of another validation. */
  merge(other: Findings): this {
    this.matches += other.matches
    for (const finding of other.#findings?.values() ?? []) this.#addOne(finding)
    return this
  }

  #addOne(finding: ValidationFinding): void {
    const { text } = finding
    this.#findings ??= new Map()
    if (!this.#findings.has(text)) this.#findings.set(text, finding)
  }
}

/** The field for a path of the validator, which writes members of the root with a leading dot. */
export function fieldOf(path: string): string {
  return path === '' || path === '.' ? '<nil>' : path.replace(/^\./, '')
}

/** A finding for one field; `value` is shown to the client. */
export function invalidField(path: string, value: unknown, text: string): ValidationFinding {
  return { text, error: invalidValue(fieldOf(path), value, text) }
}

/** A finding that names no field. */
export function invalidWhole(text: string): ValidationFinding {
  return { text, error: invalidValue('<nil>', '', text) }
}
