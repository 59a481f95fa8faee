import { type FieldError, invalidValue } from '../../validation/field-error.js'

/** A Pod Security Standard, from the least to the most strict. */
export type Level = 'privileged' | 'baseline' | 'restricted'

/** A level in the form of a minor version of Kubernetes 1, or of the latest. */
export interface LevelVersion {
  readonly level: Level
  readonly version: number | 'latest'
}

/** The levels that the labels of a namespace set for its pods. */
export interface Policy {
  readonly enforce: LevelVersion
  readonly warn: LevelVersion
  readonly errors: readonly FieldError[]
}

type Labels = Readonly<Record<string, string>>

const levels: readonly Level[] = ['privileged', 'baseline', 'restricted']
const prefix = 'pod-security.kubernetes.io/'

/** A level with its version, for example `restricted:v1.25` or `baseline:latest`. */
export const levelText = ({ level, version }: LevelVersion) =>
  `${level}:${version === 'latest' ? version : `v1.${version}`}`

/** Whether a level is stricter than another one. */
export const isStricter = (a: Level, b: Level) => levels.indexOf(a) > levels.indexOf(b)

/** The policy of a namespace; `PolicyToEvaluate` of k8s.io/pod-security-admission v0.36.3. */
export function policyOf(labels: Labels = {}): Policy {
  return Object.keys(labels).some((label) => label.startsWith(prefix)) ? readPolicy(labels) : unlabelledPolicy
}

const privileged: LevelVersion = { level: 'privileged', version: 'latest' }
const unlabelledPolicy: Policy = { enforce: privileged, warn: privileged, errors: [] }

function readPolicy(labels: Labels): Policy {
  const errors: FieldError[] = []
  // A mistake in what is enforced means the strictest level, and in what is warned of the least strict one.
  const enforce = readMode(labels, { mode: 'enforce', onMistake: 'restricted', errors })
  readMode(labels, { mode: 'audit', onMistake: 'privileged', errors })
  const warn = readMode(labels, { mode: 'warn', onMistake: 'privileged', errors })
  return { enforce: enforce.found, warn: warnLevel(enforce, warn), errors }
}

interface ParsedMode {
  readonly found: LevelVersion
  readonly hasLevel: boolean
  readonly isValid: boolean
  readonly hasVersion: boolean
}

interface ModeInput {
  readonly mode: 'enforce' | 'audit' | 'warn'
  readonly onMistake: Level
  readonly errors: FieldError[]
}

function readMode(labels: Labels, { mode, onMistake, errors }: ModeInput): ParsedMode {
  const [levelLabel, versionLabel] = [`${prefix}${mode}`, `${prefix}${mode}-version`]
  const [text, versionText] = [labels[levelLabel], labels[versionLabel]]
  const level = text === undefined ? 'privileged' : levels.find((each) => each === text)
  if (level === undefined) errors.push(mistakeError(levelLabel, text, `must be one of ${levels.join(', ')}`))
  const version = versionText === undefined ? 'latest' : versionOf(versionText)
  if (version === undefined)
    errors.push(mistakeError(versionLabel, versionText, 'must be "latest" or "v1.x"'))
  return {
    found: { level: level ?? onMistake, version: version ?? 'latest' },
    hasLevel: text !== undefined,
    isValid: level !== undefined,
    hasVersion: versionText !== undefined,
  }
}

const mistakeError = (label: string, value: unknown, why: string) =>
  invalidValue(`metadata.labels[${label}]`, value, why)

function versionOf(text: string): LevelVersion['version'] | undefined {
  if (text === 'latest') return text
  const minor = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text)?.[1]
  return minor === undefined ? undefined : Number(minor)
}

/** The level for warnings; without its own label, the enforced level. */
function warnLevel(enforce: ParsedMode, warn: ParsedMode): LevelVersion {
  const isFollowing = !warn.hasLevel && enforce.hasLevel && enforce.isValid
  if (!isFollowing || !isStricter(enforce.found.level, warn.found.level)) return warn.found
  return { level: enforce.found.level, version: warn.hasVersion ? warn.found.version : enforce.found.version }
}
