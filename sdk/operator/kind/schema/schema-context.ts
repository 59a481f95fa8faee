import type { $ZodType } from 'zod/v4/core'
import type { JsonSchema } from './json-schema.js'
import type { KindProblem } from './problem.js'

/** Converts a schema in a context. */
export type Convert = (schema: $ZodType, context: SchemaContext) => JsonSchema

/** Collects problems and warnings. */
export interface Findings {
  readonly problems: KindProblem[]
  readonly warnings: KindProblem[]
}

/** The role of a value in its parent. Only a field can be absent. */
export type Position = 'field' | 'element'

/** Options of {@link SchemaContext}. */
export interface SchemaContextOptions {
  readonly path: string
  /** Default `field`. */
  readonly position?: Position
  readonly findings: Findings
  readonly convert: Convert
  /** The schemas around this one, from the outermost. Default none. */
  readonly around?: readonly $ZodType[]
}

/** A position in the tree of schemas, with the means to convert the schemas below it. */
export class SchemaContext {
  readonly path: string
  readonly position: Position
  readonly findings: Findings
  readonly #convert: Convert
  readonly #around: readonly $ZodType[]

  constructor({ path, position = 'field', findings, convert, around = [] }: SchemaContextOptions) {
    this.path = path
    this.position = position
    this.findings = findings
    this.#convert = convert
    this.#around = around
  }

  /** Whether a schema is among those around this position, so that it contains itself. */
  isInside(schema: $ZodType): boolean {
    return this.#around.includes(schema)
  }

  /** The same position, with one more schema around it. */
  withParent(schema: $ZodType): SchemaContext {
    return this.#contextAt(this.path, this.position, [...this.#around, schema])
  }

  /** Converts the schema that a wrapper such as `nullable` holds. */
  unwrap(schema: $ZodType): JsonSchema {
    return this.#convert(schema, this)
  }

  /** Converts the schema of a field. */
  field(name: string, schema: $ZodType): JsonSchema {
    return this.#convert(schema, this.#contextAt(`${this.path}.${name}`, 'field'))
  }

  /** Converts the schema of the elements of a list (`[]`) or of the values of a map (`{}`). */
  element(schema: $ZodType, step: '[]' | '{}'): JsonSchema {
    return this.#convert(schema, this.#contextAt(this.path + step, 'element'))
  }

  /** Converts the schema of the keys of a map. */
  key(schema: $ZodType): JsonSchema {
    return this.#convert(schema, this.#contextAt(`${this.path}{key}`, 'element'))
  }

  /** Notes a problem and returns a schema to go on with, so that all problems are found at once. */
  refuse(construct: string, message: string): JsonSchema {
    this.findings.problems.push({ path: this.path, construct, message })
    return {}
  }

  /** Notes something that works, though perhaps not as intended. */
  warn(construct: string, message: string): void {
    this.findings.warnings.push({ path: this.path, construct, message })
  }

  #contextAt(path: string, position: Position, around = this.#around): SchemaContext {
    return new SchemaContext({ path, position, findings: this.findings, convert: this.#convert, around })
  }
}
