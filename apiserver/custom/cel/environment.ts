import type { Optional } from '@marcbachmann/cel-js'
import { type CelEnvironment, celLibrary } from './cel-library.js'
import { celEqual } from './equality.js'
import { addAddresses } from './functions/addresses.js'
import { addComprehensions } from './functions/comprehensions.js'
import { addFormats } from './functions/formats.js'
import { addFunctions, addNamespace } from './functions/function-library.js'
import { listFunctions, listNamespaceFunctions, setFunctions } from './functions/lists.js'
import { addMatches } from './functions/matches.js'
import { addNullComparisons } from './functions/null-comparisons.js'
import { addOptionals } from './functions/optionals.js'
import { addQuantities } from './functions/quantities.js'
import { addSemver } from './functions/semver.js'
import { regexFunctions, stringFunctions, stringNamespaceFunctions } from './functions/strings.js'
import { addUrls } from './functions/urls.js'

let base: CelEnvironment | undefined

/**
 * Creates an environment with everything that rules of Kubernetes may use; see
 * https://kubernetes.io/docs/reference/using-api/cel/#cel-options-language-features-and-libraries
 */
export function ruleEnvironment(): CelEnvironment {
  base ??= makeEnvironment()
  return base.clone()
}

function makeEnvironment(): CelEnvironment {
  // Otherwise the library would also reject `[dyn('a'), 1]`, which is valid.
  const options = { enableOptionalTypes: true, homogeneousAggregateLiterals: false }
  const environment = new (celLibrary().Environment)(options)
  addFunctions(environment, { ...listFunctions, ...stringFunctions, ...regexFunctions })
  addNamespace(environment, { name: 'lists', functions: listNamespaceFunctions })
  addNamespace(environment, { name: 'sets', functions: setFunctions })
  addNamespace(environment, { name: 'strings', functions: stringNamespaceFunctions })
  environment.registerOperator('optional<A> == optional<A>: bool', equalOptionals)
  addMatches(environment)
  addComprehensions(environment)
  addOptionals(environment)
  addUrls(environment)
  addAddresses(environment)
  addQuantities(environment)
  addSemver(environment)
  addFormats(environment)
  addNullComparisons(environment)
  return environment
}

function equalOptionals(left: Optional, right: Optional): boolean {
  return left.hasValue() && right.hasValue()
    ? celEqual(left.value(), right.value())
    : left.hasValue() === right.hasValue()
}
