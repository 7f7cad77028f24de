import { query, setQuery } from "../../address/address.ts";
import { readChoice } from "../../address/query-state.ts";
import { CodeBlock } from "../../components/code-block.tsx";
import { Tabs } from "../../components/tabs.tsx";
import css from "./verification.module.css";
import { LANGUAGE_NAMES, LANGUAGES, SNIPPETS } from "./verification-snippets.ts";

/** Code sample that verifies deliveries. The language is kept in the page's URL. */
export function Verification() {
  const language = readChoice(query.value, "language", LANGUAGES);
  return (
    <div class="stack">
      <p class="small muted">
        Verify the signature of each delivery before you trust it. The signature also covers the timestamp,
        which protects you from replayed deliveries. During a rotation, verification with either secret
        succeeds.
      </p>
      <Tabs
        label="Language"
        tabs={LANGUAGES.map((name) => ({ name, label: LANGUAGE_NAMES[name] }))}
        shown={language}
        onShow={(name) => setQuery({ language: name === LANGUAGES[0] ? null : name })}
      >
        <div class={css.snippet}>
          <CodeBlock text={SNIPPETS[language]} what={`code for ${LANGUAGE_NAMES[language]}`} />
        </div>
      </Tabs>
    </div>
  );
}
