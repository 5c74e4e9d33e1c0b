export { byPlace, bySeverity, plural, tally, type Tally } from './diagnostics';
export { default as CodeWords } from './CodeWords.svelte';
export { default as DemoCard } from './DemoCard.svelte';
export { default as Emphasis } from './Emphasis.svelte';
export { default as FoundOption } from './FoundOption.svelte';
export { afterKey } from './listKeys';
export { applied } from './fixes';
export { byteWords, capital, farWords, formatAgo, formatBytes, formatDay, formatExact, formatNumber, lazy, tildePath, typeset } from './format';
export { matchText, pieces, queryWords, type Match, wordsAt } from './textMatch';
export { default as KindIcon } from './KindIcon.svelte';
export { readObject, withValue } from './jsonEdit';
export { isTemplate, KIND_NAMES, kindOf, KINDS } from './kinds';
export { default as LogBox } from './LogBox.svelte';
export { default as LongText } from './LongText.svelte';
export { default as Markdown } from './Markdown.svelte';
export { default as ModelName } from './ModelName.svelte';
export { default as NumberRow } from './NumberRow.svelte';
export { type NumberField, NumberSetting, rangeOf, usualOf } from './numberSetting.svelte';
export { CODE_SIZES, Preferences, TAB_SIZES } from './preferences.svelte';
export { default as OutputBox } from './OutputBox.svelte';
export { baseName, decodedTarget, defaultPath, extensionOf, folderOf, kindForPath, pathFrom, pathProblem, slugify } from './paths';
export {
  type DemoChange, demoChanges, formatGain, formatScore, limitWords, METRIC_WORDS, metricWords, notBetter, type Optimization, type PredictorState, type ProgramState, readOptimization,
  readState, type Scores, statePathOf, stoppedWords, TEMPLATE_IDS,
} from './program';
export { fieldsOf, parseField, type SchemaField, valueProblem } from './schema';
export { default as SchemaForm } from './SchemaForm.svelte';
export { cantRun, type LogTail, NO_LOG, tracebackLines, withPiece } from './script';
export { asJson, costOf, formatMs, formatTokens, formatUsd, type Spending, STATUS_WORDS, type Sum, sumOf, tokensOf, useOf } from './spent';
export { asName, nameProblem, readSignature, type Side, type Signature, type SignatureField, signatureProblem, typeProblem, USUAL_TYPES, writeSignature } from './signature';
export { default as StatusMark } from './StatusMark.svelte';
export { default as Traceback } from './Traceback.svelte';
export { default as Verdicts } from './Verdicts.svelte';
