"""Compiled physics: functions over plain numbers and arrays, without objects, errors or input checks.

From the inside out: `types`, `coefficients` and `tolerances` name what is passed and compared; `elementary` and `roots`
are mathematics; `motion`, `cue`, `ball_ball` and `cushion` are physics, the last with `mathavan` and `mathavan_steps`
for two ways through the same equations; `contacts` says when things meet, `schedule` which meeting is next, `resolve`
what it does; `shot` plays one shot, `log` looks on, `batch` plays many over threads. `layout` checks positions,
`random_normal` draws noise.
"""
