import type { CelEnvironment } from '../cel-library.js'

/** Types that are compiled as ones that may be null, although their values never are. */
const types = [
  'optional<dyn>',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'kubernetes.NamedFormat',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.URL',
  'net.CIDR',
  'net.IP',
]

/** Comparisons with null, as cel-go's checker allows them; see `isAssignable` in `checker/types.go` of cel-go. */
export function addNullComparisons(environment: CelEnvironment): void {
  for (const type of types) environment.registerOperator(`${type} == null: bool`, () => false)
}
