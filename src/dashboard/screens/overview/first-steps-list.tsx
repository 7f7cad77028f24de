import { Icon } from "../../components/icon.tsx";
import { Progress } from "../../components/progress.tsx";
import reportCss from "../../reports/report.module.css";
import type { FirstStep } from "./first-steps.ts";
import css from "./first-steps-list.module.css";

/** Checklist of the first steps. Completed steps are checked, and the next open one is highlighted. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const done = steps.filter(({ isDone }) => isDone).length;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <section class={`${reportCss.card} ${css.steps}`} aria-label="Get started">
      <div class={reportCss.head}>
        <h2 class={reportCss.title}>Get started</h2>
        <span class="small muted numeric">
          {done} of {steps.length} done
        </span>
      </div>
      <Progress label="Get started" done={done} total={steps.length} />
      <ol>
        {steps.map((step) => (
          <li key={step.name}>
            <a class={step === next ? `${css.step} ${css.next}` : css.step} href={step.href}>
              <span class={step.isDone ? `${css.sign} ${css.done}` : css.sign}>
                {step.isDone && <Icon name="check" size={14} />}
              </span>
              <span>
                <b>{step.name}</b>
                {step.isDone && <span class="visually-hidden">(done)</span>}
                <span class={`small muted ${css.text}`}>{step.text}</span>
              </span>
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}
