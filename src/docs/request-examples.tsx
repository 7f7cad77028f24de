import type { FC } from "hono/jsx";
import { type ExampleRequest, LANGUAGES } from "./request-code.ts";
import { CopyButton } from "./text.tsx";

interface RequestExamplesProps {
  /** Id of the operation. */
  id: string;
  request: ExampleRequest;
}

/**
 * Example of a request in each language, with radio buttons to select the language. The style sheet shows the
 * selected language, so the buttons work without JavaScript.
 */
export const RequestExamples: FC<RequestExamplesProps> = ({ id, request }) => (
  <figure class="code request">
    <figcaption>
      <fieldset class="languages">
        <legend>Language of the example</legend>
        {LANGUAGES.map((language, index) => (
          <label>
            <input type="radio" name={`language-${id}`} value={language.id} checked={index === 0} />
            <span>{language.title}</span>
          </label>
        ))}
      </fieldset>
      <CopyButton />
    </figcaption>
    {LANGUAGES.map((language) => (
      <pre tabindex={0} data-language={language.id}>
        <code>{language.format(request)}</code>
      </pre>
    ))}
  </figure>
);
