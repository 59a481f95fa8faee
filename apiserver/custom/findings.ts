import { type FieldError, invalidValue } from '../validation/field-error.js'

/** Something wrong with a value: the sentence by which repetitions are known, and what the client is told. */
export interface Finding {
  readonly text: string
  readonly error: FieldError
}

/** What became of a value in a schema. */
export class Findings {
  readonly #findings: Finding[] = []
  /** How many checks were made that did not fail: the best of several alternatives has the most. */
  matches = 0

  get all(): readonly Finding[] {
    return this.#findings
  }

  get isValid(): boolean {
    return this.#findings.length === 0
  }

  /** Adds findings, each sentence once. */
  add(...findings: readonly (Finding | undefined)[]): this {
    for (const finding of findings) {
      if (finding === undefined || this.#findings.some(({ text }) => text === finding.text)) continue
      this.#findings.push(finding)
    }
    return this
  }

  /** Takes over what was found elsewhere. */
  merge(other: Findings): this {
    this.matches += other.matches
    return this.add(...other.all)
  }
}

/** The field that a path of the validator names; it writes the root's members with a dot before. */
export function fieldOf(path: string): string {
  return path === '' || path === '.' ? '<nil>' : path.replace(/^\./, '')
}

/** A finding about one field; `value` is what the client is shown. */
export function invalidField(path: string, value: unknown, text: string): Finding {
  return { text, error: invalidValue(fieldOf(path), value, text) }
}

/** A finding that names no field, only speaks of it. */
export function invalidWhole(text: string): Finding {
  return { text, error: invalidValue('<nil>', '', text) }
}
