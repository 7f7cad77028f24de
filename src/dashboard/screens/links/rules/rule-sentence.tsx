import type { RuleSentence, Word } from "./rule-words.ts";

/** Sentence that describes a rule. Values that the user chose are bold. */
export function Sentence({ sentence: { who, where } }: { sentence: RuleSentence }) {
  return (
    <span class="sentence">
      {who.length === 0 ? "All visitors" : <Words words={who} />}{" "}
      <span class="sentence-arrow" role="img" aria-label="redirects to">
        →
      </span>{" "}
      <Words words={where} />
    </span>
  );
}

function Words({ words }: { words: readonly Word[] }) {
  return (
    <>
      {words.map(({ text, isChosen }, index) =>
        isChosen ? <b key={`${index} ${text}`}>{text}</b> : <span key={`${index} ${text}`}>{text}</span>,
      )}
    </>
  );
}
