import css from "./rule-sentence.module.css";
import type { RuleSentence, Span } from "./rule-texts.ts";

/** Sentence that describes a rule. Values that the user chose are bold. */
export function Sentence({ sentence: { who, where } }: { sentence: RuleSentence }) {
  return (
    <span class={css.sentence}>
      {who.length === 0 ? "All visitors" : <Spans spans={who} />}{" "}
      <span class={css.arrow} role="img" aria-label="redirects to">
        →
      </span>{" "}
      <Spans spans={where} />
    </span>
  );
}

function Spans({ spans }: { spans: readonly Span[] }) {
  return (
    <>
      {spans.map(({ text, isChosen }, index) =>
        isChosen ? <b key={`${index} ${text}`}>{text}</b> : <span key={`${index} ${text}`}>{text}</span>,
      )}
    </>
  );
}
