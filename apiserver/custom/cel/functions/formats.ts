import { labelKeyProblems, labelValueProblems } from '../../../../sdk/engine/kube/label-syntax.js'
import {
  checkLabelName,
  checkRfc1035Label,
  checkSubdomainName,
  type NameRule,
} from '../../../validation/names.js'
import { checkFormat } from '../../formats.js'
import { type CelEnvironment, celLibrary } from '../cel-library.js'
import { Comparable } from '../equality-key.js'
import { addFunctions, addNamespace } from './function-library.js'

/** Returns the problems of a text. */
type Problems = (text: string) => readonly string[]

/** A named text format. */
class Format extends Comparable {
  readonly name: string
  readonly problems: Problems

  constructor(name: string, problems: Problems) {
    super()
    this.name = name
    this.problems = problems
  }

  override equals(other: unknown): boolean {
    return other instanceof Format && other.name === this.name
  }

  override get equalityKey(): string {
    return `format ${this.name}`
  }
}

const problemsByRule =
  (rule: NameRule): Problems =>
  (text) => {
    const problem = rule(text)
    return problem === undefined ? [] : [problem]
  }

const problemsBySchema =
  (format: string, problem: string): Problems =>
  (text) =>
    checkFormat(text, { type: 'string', format }, '') === undefined ? [] : [problem]

/** The problems of a prefix by the rule of the whole name. A prefix may end with a dash, because a suffix follows. */
const problemsOfPrefix =
  (rule: NameRule): Problems =>
  (text) =>
    problemsByRule(rule)(text.replace(/-+$/, 'a'))

const rules: Readonly<Record<string, Problems>> = {
  dns1123Label: problemsByRule(checkLabelName),
  dns1123Subdomain: problemsByRule(checkSubdomainName),
  dns1035Label: problemsByRule(checkRfc1035Label),
  qualifiedName: labelKeyProblems,
  dns1123LabelPrefix: problemsOfPrefix(checkLabelName),
  dns1123SubdomainPrefix: problemsOfPrefix(checkSubdomainName),
  dns1035LabelPrefix: problemsOfPrefix(checkRfc1035Label),
  labelValue: labelValueProblems,
  uri: problemsBySchema('uri', 'invalid URI for request'),
  uuid: problemsBySchema('uuid', 'does not match the UUID format'),
  byte: problemsBySchema('byte', 'invalid base64'),
  date: problemsBySchema('date', 'invalid date'),
  datetime: problemsBySchema('date-time', 'invalid datetime'),
}

const formatType = 'kubernetes.NamedFormat'

/** Adds Kubernetes' named formats. */
export function addFormats(environment: CelEnvironment): void {
  const formats = new Map(Object.entries(rules).map(([name, problems]) => [name, new Format(name, problems)]))
  const { Optional } = celLibrary()
  environment.registerType(formatType, { ctor: Format, fields: {} })
  const constants = [...formats].map(([name, format]) => [`${name}(): ${formatType}`, () => format])
  const functions = {
    ...Object.fromEntries(constants),
    [`named(string): optional<${formatType}>`]: (name: string) => Optional.of(formats.get(name)),
  }
  addNamespace(environment, { name: 'format', functions })
  addFunctions(environment, {
    [`${formatType}.validate(string): optional<list<string>>`]: ({ problems }: Format, text: string) => {
      const formatProblems = problems(text)
      return Optional.of(formatProblems.length === 0 ? undefined : formatProblems)
    },
  })
}
